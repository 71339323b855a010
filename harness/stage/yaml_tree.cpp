#include "harness/stage/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>

#include "harness/core/limits.h"
#include "harness/core/nearest.h"
#include "harness/stage/scenario_reader.h"
#include "harness/stage/utf8.h"

namespace locklab {

namespace {

/// The file's bytes, in lines as yaml-cpp counts them.
class Lines {
public:
    explicit Lines(std::string_view text) : text_(text), starts_{0} {
        columns_.reserve(text.size() + 1);
        std::uint32_t column = 1;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool begins_a_character = (text[i] & 0xC0) != 0x80;
            columns_.push_back(begins_a_character ? column++ : column - 1);
            if (text[i] != '\n') continue;
            starts_.push_back(i + 1);
            column = 1;
        }
        columns_.push_back(column);
    }

    /// yaml-cpp's marks count bytes from 0, and are negative if unknown.
    std::size_t byte_of(const YAML::Mark& mark) const {
        if (mark.is_null() || mark.line < 0 || mark.column < 0) return 0;
        const std::size_t line = std::min<std::size_t>(mark.line, starts_.size() - 1);
        return std::min(starts_[line] + static_cast<std::size_t>(mark.column), text_.size());
    }
    Place place_of(std::size_t byte) const {
        const auto next = std::upper_bound(starts_.begin(), starts_.end(), byte);
        return {static_cast<std::size_t>(next - starts_.begin()), columns_[byte]};
    }
    /// Whether there is a tab before the first word of this byte's line.
    bool indented_with_tab(std::size_t byte) const {
        const std::string_view line = from(starts_[place_of(byte).line - 1]);
        return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
    }
    std::string_view from(std::size_t byte) const { return text_.substr(byte); }
    /// The last byte at or before this one that is not a blank.
    std::size_t last_mark_before(std::size_t byte) const {
        const std::size_t found = text_.substr(0, byte).find_last_not_of(" \t\r\n");
        return found == std::string_view::npos ? 0 : found;
    }

private:
    std::string_view text_;
    std::vector<std::size_t> starts_;
    std::vector<std::uint32_t> columns_;  ///< of each byte: a line may be as long as the file
};

/// Builds the tree from yaml-cpp's parsing events.
class TreeBuilder : public YAML::EventHandler {
public:
    TreeBuilder(const YamlFile& file, const Lines& lines) : file_(file), lines_(lines) {}

    YamlNode root;

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ == 1) return;
        file_.fail(place_of(mark), "a second document begins; right would be one for each file");
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        refuse_extras(mark, "", anchor);
        // Without a value, the mark is that of the next token.
        const std::size_t byte = lines_.byte_of(mark);
        const std::string_view here = lines_.from(byte).substr(0, 1);
        const bool written = here == "~" || here == "n" || here == "N";
        add(made(YamlNode::Kind::nothing, written ? byte : lines_.last_mark_before(byte)));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        file_.fail(place_of(mark), "an alias stands here; right would be what it stands for");
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        refuse_extras(mark, tag, anchor);
        YamlNode node = made(YamlNode::Kind::text, lines_.byte_of(mark));
        node.text = value;
        const std::string_view here = lines_.from(lines_.byte_of(mark));
        const bool quoted = here.starts_with('"') || here.starts_with('\'');
        node.verbatim = here.substr(quoted ? 1 : 0).starts_with(value);
        node.text_column = node.place.column + (quoted ? 1 : 0);
        add(std::move(node));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(YamlNode::Kind::list, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(YamlNode::Kind::map, mark, tag, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    Place place_of(const YAML::Mark& mark) const { return lines_.place_of(lines_.byte_of(mark)); }
    YamlNode made(YamlNode::Kind kind, std::size_t byte) const {
        YamlNode node;
        node.kind = kind;
        node.place = lines_.place_of(byte);
        return node;
    }

    void refuse_extras(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        if (anchor != 0) {
            file_.fail(place_of(mark), "an anchor stands here; right would be to leave it out");
        }
        if (tag.empty() || tag == "?" || tag == "!") return;
        file_.fail(place_of(mark),
                   "the tag " + in_quotes(tag) + " stands here; right would be to leave it out");
    }
    void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
              YAML::anchor_t anchor) {
        refuse_extras(mark, tag, anchor);
        if (open_.size() == kDeepestYaml) {
            file_.fail(place_of(mark), "it is nested more than " + std::to_string(kDeepestYaml) +
                                           " deep here; no scenario needs that");
        }
        open_.push_back(made(kind, lines_.byte_of(mark)));
    }
    void close() {
        YamlNode node = std::move(open_.back());
        open_.pop_back();
        add(std::move(node));
    }
    void add(YamlNode node) {
        if (open_.empty()) {
            root = std::move(node);
        } else {
            open_.back().items.push_back(std::move(node));
        }
    }

    const YamlFile& file_;
    const Lines& lines_;
    std::vector<YamlNode> open_;
    int documents_ = 0;
};

/// The right form, by a part of yaml-cpp's message; the first that fits.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kRight{{
    {"illegal map value", "a text that has ': ' in it stands in quotes"},
    {"flow", "what [ or { opens is closed by ] or }, with commas between"},
    {"EOF in scalar", "a quote that is opened is closed"},
    {"illegal tab", "lines are indented with spaces"},
    {"unknown token", "a text that begins with this character stands in quotes"},
    {"escape", "a text with a backslash stands in single quotes"},
    {"hex", "a text with a backslash stands in single quotes"},
    {"anchor", "texts that begin with * or & stand in quotes"},
    {"block scalar", "lines after | or > are indented further than the key"},
    {"", "what belongs together is indented alike, and each key ends with ': '"},
}};

std::string not_yaml(std::string problem, std::string_view here) {
    // The message may quote any byte of the file.
    std::replace_if(
        problem.begin(), problem.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    const std::size_t end = std::min(here.find_first_of(" \t\r\n"), here.size());
    const auto fits = [&problem](const auto& row) {
        return problem.find(row.first) != std::string::npos;
    };
    const auto& [part, right] = *std::find_if(kRight.begin(), kRight.end(), fits);
    return "it is not YAML " +
           (end == 0 ? std::string("here") : "at " + in_quotes(here.substr(0, end))) + " (" +
           problem + "); " + std::string(right);
}

std::string kind_of(const YamlNode& node) {
    switch (node.kind) {
        case YamlNode::Kind::nothing: return "nothing";
        case YamlNode::Kind::text: return "the text " + in_quotes(node.text);
        case YamlNode::Kind::list: return "a list";
        case YamlNode::Kind::map: return "a map";
    }
    return "";
}

}  // namespace

Place YamlNode::place_of(std::size_t offset) const {
    if (!verbatim) return place;
    return {place.line, text_column + characters(std::string_view(text).substr(0, offset))};
}

YamlFile::YamlFile(std::string name, std::string_view text) : name_(std::move(name)) {
    if (text.size() > kMostYaml) {
        fail({}, "it has more than " + std::to_string(kMostYaml) +
                     " bytes; right would be a scenario that people can read");
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const Lines lines(text);
    if (const std::size_t byte = first_that_is_no_text(text); byte < text.size()) {
        fail(lines.place_of(byte),
             "the byte " + hex(text[byte]) + " is not text; a scenario is UTF-8 without controls");
    }
    TreeBuilder builder(*this, lines);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::Exception& error) {
        const std::size_t byte = lines.byte_of(error.mark);
        const std::string problem =
            lines.indented_with_tab(byte) ? "illegal tab before the line" : error.msg;
        fail(lines.place_of(byte), not_yaml(problem, lines.from(byte)));
    }
    root_ = std::move(builder.root);
}

void YamlFile::fail(Place place, const std::string& what) const {
    throw ScenarioError(name_ + ":" + std::to_string(place.line) + ":" +
                        std::to_string(place.column) + ": " + what);
}

void YamlFile::want(YamlNode::Kind kind, const YamlNode& node, const std::string& subject,
                    const std::string& right) const {
    if (node.kind == kind) return;
    fail(node.place, subject + " is " + kind_of(node) + "; right would be " + right);
}

std::vector<YamlEntry> YamlFile::entries(const YamlNode& node, const std::string& subject,
                                         const std::string& right) const {
    want(YamlNode::Kind::map, node, subject, right);
    std::vector<YamlEntry> found;
    std::map<std::string_view, std::size_t> lines;
    for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
        const YamlNode& key = node.items[i];
        want(YamlNode::Kind::text, key, "a key of " + subject, "a word");
        const auto [earlier, is_new] = lines.emplace(key.text, key.place.line);
        if (!is_new) {
            fail(key.place, "the key " + in_quotes(key.text) + " is in line " +
                                std::to_string(earlier->second) + " already; give it once");
        }
        if (node.items[i + 1].kind == YamlNode::Kind::nothing) {
            fail(key.place, "there is nothing after " + in_quotes(key.text) +
                                "; give it a value, or leave it out");
        }
        found.push_back({key, node.items[i + 1]});
    }
    return found;
}

}  // namespace locklab
