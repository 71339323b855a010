#include "harness/record/history_json.h"

#include <algorithm>
#include <fstream>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "harness/core/fault_text.h"
#include "harness/core/nearest.h"
#include "harness/core/run_spec.h"
#include "harness/record/client_options_json.h"
#include "harness/record/event_json.h"
#include "harness/record/files.h"
#include "harness/record/history_rules.h"

namespace locklab {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kFormat = "locklab-history";
constexpr std::uint64_t kVersion = 1;

void put(std::ostream& out, const ordered_json& line) {
    out << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

/// Texts of the scripts that its commands name.
ordered_json scripts_of(const History& history) {
    std::map<std::string, std::string> texts;
    for (const Event& event : history.events) {
        const auto* sent = std::get_if<event::Sent>(&event.detail);
        const Script* const script = sent == nullptr ? nullptr : sent->command.script();
        if (script != nullptr && !script->lua.empty()) {
            texts.emplace(script->name, script->lua);
        }
    }
    return texts;
}

}  // namespace

class HistoryReader::Reader {
public:
    Reader(std::istream& in, std::string_view name) : in_(in), name_(name) { first_ = read(); }

    const HistoryHead& head() const { return head_; }
    std::optional<Event> next() {
        return first_ ? std::exchange(first_, std::nullopt) : over_ ? std::nullopt : read();
    }
    Instant end() const { return end_; }
    std::uint32_t clients() const { return rules_.clients(); }
    std::size_t line() const { return number_; }
    std::shared_ptr<const void> scripts() const { return scripts_; }

private:
    /// The next event of the file.
    std::optional<Event> read() {
        std::string& text = text_;
        while (next_line(text)) {
            JsonLine line(name_, number_, text);
            if (ended_) line.fail("a line stands after the end; the 'end' line is the last");
            if (line.peek("format") != nullptr) {
                read_header(line);
            } else if (std::optional<Event> event = read_body(line)) {
                return event;
            }
        }
        over_ = true;
        if (number_ == 0) fail_at(1, "the file is empty; a history has a line for each event");
        if (has_header_ && !ended_) {
            fail_at(number_,
                    "the history is cut short: after a header, the last line is to be "
                    "{\"event\":\"end\",\"t_us\":...}");
        }
        return std::nullopt;
    }

    [[noreturn]] void fail_at(std::size_t number, const std::string& what) const {
        throw JsonLine::error(name_, number, what);
    }

    static std::string too_long() {
        return "the line has more than " + std::to_string(kLongestLine) +
               " bytes, which is too long for an event";
    }

    /// False at the end of the file. The last line may lack its newline.
    bool next_line(std::string& text) {
        text.clear();
        char c = 0;
        bool any = false;
        while (in_.get(c)) {
            if (!any && ++number_ > kMostLines) {
                fail_at(number_, "it has more than " + std::to_string(kMostLines) +
                                     " lines; right would be a part of the history");
            }
            any = true;
            if (c == '\n') return true;
            text += c;
            if (text.size() > kLongestLine) fail_at(number_, too_long());
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
        if (line.has("world")) head_.world = line.text("world");
        if (line.has("algorithm")) head_.algorithm = line.text("algorithm");
        if (line.has("clients")) {
            const std::uint64_t clients = line.whole("clients", kMostClients);
            head_.clients = static_cast<std::uint32_t>(clients);
        }
        if (line.has("tasks")) read_tasks(line);
        if (line.has("locks")) {
            head_.resources = static_cast<std::uint32_t>(line.whole("locks", ResourceId::kMost));
            if (head_.resources == 0) line.fail("'locks' must be at least 1");
        }
        rules_ = HistoryRules(head_.clients, head_.resources);
        if (line.has("seed")) head_.seed = line.whole("seed");
        if (line.has("run")) head_.run = line.whole("run");
        if (line.has("key")) head_.key = line.text("key");
        if (line.has("server")) {
            const auto server = server_named(line.text("server"));
            if (!server) line.fail("'server' must be " + std::string(kServerNames));
            head_.server = *server;
        }
        if (line.has("began_us")) head_.began = WallTime(line.time("began_us"));
        if (line.has("clock_unit_us")) head_.clock_unit = line.time("clock_unit_us");
        if (line.has("tells_within_us")) head_.tells_within = line.time("tells_within_us");
        if (line.has("answers_within_us")) head_.answers_within = line.time("answers_within_us");
        if (line.has("patience_us")) head_.patience = line.time("patience_us");
        if (line.has("drawn_faults")) head_.draw = read_draw(line);
        head_.unequal = read_unequal_clients(line, head_.clients, kLongestPatience);
        if (line.has("permits")) {
            head_.permits = static_cast<Permits>(line.whole("permits", kMostClients));
        }
        if (line.has("in_order")) head_.in_order = line.flag("in_order");
        if (line.has("virtual_time")) head_.virtual_time = line.flag("virtual_time");
        if (line.has("not_modelled")) head_.not_modelled = line.text("not_modelled");
        if (line.has("threw")) head_.threw = line.text("threw");
        if (line.has("differs_alone")) {
            head_.differs_alone =
                ClientId{static_cast<std::uint32_t>(line.whole("differs_alone", kMostClients))};
        }
        if (line.has("given")) {
            if (!line.at("given").is_object()) {
                line.fail("'given' must be an object: what the run was given, as a trace has it");
            }
            head_.given = line.at("given").dump();
        }
        if (line.has("scripts")) read_scripts(line);
        line.done("the header");
        has_header_ = true;
    }

    /// Texts of scripts, by name.
    void read_scripts(JsonLine& line) {
        const nlohmann::json& scripts = line.at("scripts");
        const bool right = scripts.is_object() && std::ranges::all_of(scripts, [](const auto& s) {
                               return s.is_string();
                           });
        if (!right) line.fail("'scripts' must be an object like {\"release\":\"return 1\"}");
        for (const auto& [name, lua] : scripts.items()) {
            scripts_->tell(name, lua.get<std::string>());
        }
    }

    void read_tasks(JsonLine& line) {
        head_.tasks = static_cast<std::uint32_t>(line.whole("tasks", kMostTasks));
        if (head_.tasks == 0 || head_.clients % head_.tasks != 0) {
            line.fail("'tasks' must be at least 1, and 'clients' a multiple of it");
        }
    }

    static Draw read_draw(JsonLine& line) {
        try {
            return {parse_faults(line.text("drawn_faults")), line.time("drawn_ttl_us")};
        } catch (const std::invalid_argument& error) {
            line.fail(error.what());
        }
    }

    std::optional<Event> read_body(JsonLine& line) {
        const nlohmann::json* kind = line.peek("event");
        if (kind != nullptr && *kind == "end") {
            line.find("event");
            end_ = Instant(line.time("t_us"));
            line.done("the end line");
            rules_.check_end(line, end_);
            ended_ = true;
            return std::nullopt;
        }
        Event event = read_event(line, *scripts_, rules_.next_grant());
        rules_.check(line, event);
        end_ = event.at;
        return event;
    }

    std::istream& in_;
    std::string_view name_;
    HistoryHead head_;
    Instant end_;
    HistoryRules rules_;
    std::shared_ptr<NamedScripts> scripts_ = std::make_shared<NamedScripts>();
    std::string text_;
    std::size_t number_ = 0;
    bool has_header_ = false;
    bool ended_ = false;
    bool over_ = false;
    std::optional<Event> first_;  ///< read early, to complete the head
};

HistoryReader::HistoryReader(std::istream& in, std::string_view name)
    : reader_(std::make_unique<Reader>(in, name)) {}
HistoryReader::~HistoryReader() = default;

const HistoryHead& HistoryReader::head() const { return reader_->head(); }
std::optional<Event> HistoryReader::next() { return reader_->next(); }
Instant HistoryReader::end() const { return reader_->end(); }
std::size_t HistoryReader::line() const { return reader_->line(); }
std::uint32_t HistoryReader::clients() const { return reader_->clients(); }
std::shared_ptr<const void> HistoryReader::scripts() const { return reader_->scripts(); }

void write_history(std::ostream& out, const History& history) {
    ordered_json head{{"format", kFormat},
                      {"version", kVersion},
                      {"world", history.world},
                      {"algorithm", history.algorithm},
                      {"clients", history.clients},
                      {"seed", history.seed},
                      {"run", history.run},
                      {"key", history.key},
                      {"patience_us", us(history.patience)}};
    if (history.server != ServerKind::redis) head["server"] = name_of(history.server);
    if (history.began != WallTime()) head["began_us"] = us(history.began);
    if (history.clock_unit != Duration::zero()) head["clock_unit_us"] = us(history.clock_unit);
    if (history.tells_within != Duration::zero()) {
        head["tells_within_us"] = us(history.tells_within);
    }
    if (history.answers_within != Duration::zero()) {
        head["answers_within_us"] = us(history.answers_within);
    }
    if (history.draw) {
        head["drawn_faults"] = to_string(history.draw->faults);
        head["drawn_ttl_us"] = us(history.draw->ttl);
    }
    if (!history.unequal.empty()) head[kUnequalClients] = to_json(history.unequal);
    if (history.permits != 1) head["permits"] = history.permits;
    if (history.tasks != 1) head["tasks"] = history.tasks;
    if (history.resources != 1) head["locks"] = history.resources;
    if (history.in_order) head["in_order"] = true;
    if (history.virtual_time) head["virtual_time"] = true;
    if (!history.not_modelled.empty()) head["not_modelled"] = history.not_modelled;
    if (!history.threw.empty()) head["threw"] = history.threw;
    if (history.differs_alone) head["differs_alone"] = history.differs_alone->value;
    if (!history.given.empty()) {
        // Sorted by name, as readers return them.
        head["given"] = ordered_json(nlohmann::json::parse(history.given));
        if (ordered_json scripts = scripts_of(history); !scripts.empty()) {
            head["scripts"] = std::move(scripts);
        }
    }
    put(out, head);
    for (const Event& event : history.events) put(out, to_json(event));
    put(out, {{"event", "end"}, {"t_us", us(history.end)}});
}

History read_history(std::istream& in, std::string_view name) {
    HistoryReader reader(in, name);
    History history;
    while (std::optional<Event> event = reader.next()) history.events.push_back(std::move(*event));
    static_cast<HistoryHead&>(history) = reader.head();
    history.clients = reader.clients();
    history.end = reader.end();
    history.scripts = reader.scripts();
    return history;
}

History read_history_file(const std::filesystem::path& path) {
    std::ifstream in = open_to_read(path);
    return read_history(in, path.string());
}

}  // namespace locklab
