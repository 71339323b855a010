#include "harness/record/history_json.h"

#include <fstream>
#include <istream>
#include <ostream>

#include "harness/core/nearest.h"
#include "harness/record/event_json.h"
#include "harness/record/files.h"
#include "harness/record/history_rules.h"

namespace locklab {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kFormat = "locklab-history";
constexpr std::uint64_t kVersion = 1;
/// Far longer than any line that is written here.
constexpr std::size_t kLongestLine = 1'000'000;

void put(std::ostream& out, const ordered_json& line) {
    out << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

class Reader {
public:
    Reader(std::istream& in, std::string_view name) : in_(in), name_(name) {}

    History read() {
        std::string text;
        while (next_line(text)) {
            JsonLine line(name_, number_, text);
            if (ended_) line.fail("a line stands after the end; the 'end' line is the last");
            if (line.peek("format") != nullptr) {
                read_header(line);
            } else {
                read_body(line);
            }
        }
        if (number_ == 0) fail_at(1, "the file is empty; a history has a line for each event");
        if (has_header_ && !ended_) {
            fail_at(number_,
                    "the history is cut short: after a header, the last line is to be "
                    "{\"event\":\"end\",\"t_us\":...}");
        }
        if (!ended_ && !history_.events.empty()) history_.end = history_.events.back().at;
        history_.clients = rules_.clients();
        history_.scripts = scripts_;
        return std::move(history_);
    }

private:
    [[noreturn]] void fail_at(std::size_t number, const std::string& what) const {
        throw JsonLine::error(name_, number, what);
    }

    /// False at the end of the file. The last line may lack its newline.
    bool next_line(std::string& text) {
        text.clear();
        char c = 0;
        bool any = false;
        while (in_.get(c)) {
            if (!any) ++number_;
            any = true;
            if (c == '\n') return true;
            text += c;
            if (text.size() > kLongestLine) fail_at(number_, "the line is too long for an event");
        }
        if (in_.bad()) fail_at(number_ + 1, "the file cannot be read to its end");
        return any;
    }

    void read_header(JsonLine& line) {
        if (line.number() != 1) line.fail("a header stands in the first line only");
        const std::string format = line.text("format");
        if (format != kFormat) {
            line.fail("the format is " + in_quotes(format) + ", not " + in_quotes(kFormat));
        }
        const std::uint64_t version = line.whole("version");
        if (version != kVersion) {
            line.fail("version " + std::to_string(version) + " of the format is not known; this " +
                      "reads version " + std::to_string(kVersion));
        }
        if (line.has("world")) history_.world = line.text("world");
        if (line.has("algorithm")) history_.algorithm = line.text("algorithm");
        if (line.has("clients")) {
            const std::uint64_t clients = line.whole("clients", kMostClients);
            rules_ = HistoryRules(static_cast<std::uint32_t>(clients));
        }
        if (line.has("seed")) history_.seed = line.whole("seed");
        if (line.has("run")) history_.run = line.whole("run");
        if (line.has("key")) history_.key = line.text("key");
        if (line.has("not_modelled")) history_.not_modelled = line.text("not_modelled");
        if (line.has("patience_us")) history_.patience = line.time("patience_us");
        line.done("the header");
        has_header_ = true;
    }

    void read_body(JsonLine& line) {
        const nlohmann::json* kind = line.peek("event");
        if (kind != nullptr && *kind == "end") {
            line.find("event");
            history_.end = Instant(line.time("t_us"));
            line.done("the end line");
            rules_.check_end(line, history_.end);
            ended_ = true;
            return;
        }
        Event event = read_event(line, *scripts_, rules_.next_grant());
        rules_.check(line, event);
        history_.events.push_back(std::move(event));
    }

    std::istream& in_;
    std::string_view name_;
    History history_;
    HistoryRules rules_;
    std::shared_ptr<NamedScripts> scripts_ = std::make_shared<NamedScripts>();
    std::size_t number_ = 0;
    bool has_header_ = false;
    bool ended_ = false;
};

}  // namespace

void write_history(std::ostream& out, const History& history) {
    ordered_json header{{"format", kFormat},
                        {"version", kVersion},
                        {"world", history.world},
                        {"algorithm", history.algorithm},
                        {"clients", history.clients},
                        {"seed", history.seed},
                        {"run", history.run},
                        {"key", history.key},
                        {"patience_us", us(history.patience)}};
    if (!history.not_modelled.empty()) header["not_modelled"] = history.not_modelled;
    put(out, header);
    for (const Event& event : history.events) put(out, to_json(event));
    put(out, {{"event", "end"}, {"t_us", us(history.end)}});
}

History read_history(std::istream& in, std::string_view name) { return Reader(in, name).read(); }

History read_history_file(const std::filesystem::path& path) {
    std::ifstream in = open_to_read(path);
    return read_history(in, path.string());
}

}  // namespace locklab
