#include "harness/play/random_result_json.h"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "harness/record/row_io.h"

namespace locklab {

namespace {

/// A command, and in which phase it was sent, or with which error it was answered.
struct SeenCommand {
    std::string shape;
    std::uint32_t phase = 0;
    std::string error;
};

template <class Kind, class To>
std::vector<SeenCommand> listed(const std::set<Kind>& seen, To to) {
    std::vector<SeenCommand> list;
    for (const Kind& each : seen) list.push_back(to(each));
    return list;
}

}  // namespace

template <class Io, RowOf<SeenCommand> Row>
void fields(Io& io, Row& row) {
    io("shape", row.shape);
    io("phase", row.phase);
    io("error", row.error);
}

template <class Io, RowOf<Coverage> Row>
void fields(Io& io, Row& row) {
    std::vector<SeenCommand> sent = listed(row.sent, [](const SentCommand& each) {
        return SeenCommand{each.shape, static_cast<std::uint32_t>(each.phase), {}};
    });
    std::vector<SeenCommand> answered = listed(row.answered, [](const AnsweredCommand& each) {
        return SeenCommand{each.shape, 0, each.error};
    });
    io("sent", sent);
    io("answered", answered);
    for (std::size_t i = 0; i < kHazards.size(); ++i) io(kHazards[i].name, row.struck[i]);
    io("sets_ttl", row.sets_ttl);
    io("ran_out", row.ran_out);
    io("ran_out_inside", row.ran_out_inside);
    io("sets_other_ttl", row.sets_other_ttl);
    io("other_ran_out", row.other_ran_out);
    for (std::size_t i = 0; i < row.refused.size(); ++i) {
        io("refused_" + std::to_string(i), row.refused[i]);
    }
    io("unlisted_key", row.unlisted_key);
    if constexpr (!std::is_const_v<Row>) {
        for (const SeenCommand& each : sent) {
            if (each.phase >= kEveryPhase.size()) throw FormatError("there is no such phase");
            row.sent.insert({each.shape, kEveryPhase[each.phase]});
        }
        for (const SeenCommand& each : answered) row.answered.insert({each.shape, each.error});
    }
}

template <class Io, RowOf<RandomResult> Row>
void fields(Io& io, Row& row) {
    io("schedules", row.schedules);
    io("steps", row.steps);
    io("violated", row.violated);
    io("schedule", row.schedule);
    io("coverage", row.coverage);
    io("why_unknown", row.why_unknown);
}

std::string to_text(const RandomResult& result) { return written_row(result).dump(1) + "\n"; }

RandomResult random_result_in(const std::string& text) {
    const auto json = nlohmann::ordered_json::parse(text);
    RandomResult result;
    read_fields(json, result);
    return result;
}

}  // namespace locklab
