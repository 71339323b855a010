#include "harness/suite/library_row.h"

#include "harness/suite/table_fields.h"

namespace locklab {

template <class Io, RowOf<LibrarySearchRow> Row>
void fields(Io& io, Row& row) {
    io("hazard", row.hazard);
    io("verdict", row.verdict);
    io("plays", row.plays);
    io("grants", row.grants);
    io("plays_cut_short", row.plays_cut_short);
    io("came_again", row.came_again);
    io.or_null("library_error", row.library_error);
    io.or_null("trouble", row.trouble);
    io("replay", row.replay);
}

template <class Io, RowOf<LibraryDefect> Row>
void fields(Io& io, Row& row) {
    io("file", row.file);
    io("what", row.what);
    io("tracker", row.tracker);
    io("command", row.command);
    io("script", row.script);
}

template <class Io, RowOf<LibraryRow> Row>
void fields(Io& io, Row& row) {
    io("name", row.name);
    io("library", row.library);
    io("version", row.version);
    io("language", row.language);
    io("like", row.like);
    io.if_any("documentation", row.documentation);
    io.if_any("defaults", row.defaults);
    io("scenarios", row.scenarios);
    io("searches", row.searches);
    io.if_any("cells", row.cells);
    io.if_any("defects", row.defects);
    io.or_null("not_searched", row.not_searched);
    io.or_null("trouble", row.trouble);
    io.if_any("cannot_run", row.cannot_run);
}

nlohmann::ordered_json to_json(const LibraryRow& row) { return written_row(row); }
void read_row(const nlohmann::ordered_json& json, LibraryRow& row) { read_fields(json, row); }

nlohmann::ordered_json to_json(const PlayedLibrary& played) {
    return {{"made_by", played.made_by}, {"row", to_json(played.row)}};
}

void read_row(const nlohmann::ordered_json& json, PlayedLibrary& played) {
    played.made_by = json.at("made_by").get<std::string>();
    read_row(json.at("row"), played.row);
}

}  // namespace locklab
