#include "harness/record/event_json.h"

#include <array>
#include <nlohmann/json.hpp>

#include "harness/core/nearest.h"
#include "harness/record/reply_json.h"

namespace locklab {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// In the order of the variant.
constexpr std::array<std::string_view, 16> kEvents{
    "wants",    "refused", "sent",  "executed", "replied",  "granted", "lost",   "leaving",
    "released", "read",    "wrote", "fault",    "finished", "failed",  "denied", "learnt"};
static_assert(std::variant_size_v<EventDetail> == kEvents.size());

/// A background task does not outlive this many rounds.
constexpr std::uint64_t kMostRoundsAgo = 1'000'000'000;

constexpr std::array kPhases{Phase::idle, Phase::acquire, Phase::inside, Phase::release,
                             Phase::background};
constexpr std::array kOutcomes{Release::yes, Release::not_ours, Release::unknown, Release::error};
constexpr std::array kEffects{KeyEffect::Kind::none, KeyEffect::Kind::created,
                              KeyEffect::Kind::replaced, KeyEffect::Kind::extended,
                              KeyEffect::Kind::deleted};

/// The value of an enumeration that the word under `key` names.
template <class Value, std::size_t n>
Value named(JsonLine& line, std::string_view key, const std::array<Value, n>& values) {
    std::array<std::string_view, n> names;
    for (std::size_t i = 0; i < n; ++i) names[i] = name_of(values[i]);
    return values[line.word(key, names)];
}

void add_effect(ordered_json& line, const KeyEffect& effect) {
    line["effect"] = std::string(name_of(effect.kind));
    if (effect.source == KeyEffect::Source::uncertain) line["uncertain"] = true;
    if (effect.ttl != Duration::zero()) line["ttl_us"] = us(effect.ttl);
}

/// Adds the fields of an event other than time, client and phase.
struct AddDetail {
    ordered_json& line;

    void operator()(const event::Wants& wants) const {
        if (wants.again) line["again"] = true;
    }
    void operator()(const event::Refused& refused) const { line["unsure"] = refused.unsure; }
    void operator()(const event::Sent& sent) const {
        line["call"] = sent.call;
        line["node"] = sent.node.value;
        line["command"] = to_json(sent.command);
        if (sent.rounds_ago != 0) line["rounds_ago"] = sent.rounds_ago;
    }
    void operator()(const event::Executed& executed) const {
        line["call"] = executed.call;
        line["node"] = executed.node.value;
        line["sent_us"] = us(executed.sent);
        if (!executed.command.is_none()) line["command"] = to_json(executed.command);
        line["reply"] = to_json(executed.reply);
        if (executed.effect.source == KeyEffect::Source::untold) return;
        add_effect(line, executed.effect);
        for (const event::OtherKey& other : executed.others) {
            ordered_json row{{"key", other.key}};
            add_effect(row, other.effect);
            line["others"].push_back(std::move(row));
        }
    }
    void operator()(const event::Replied& replied) const {
        line["call"] = replied.call;
        line["reply"] = to_json(replied.reply);
    }
    void operator()(const event::Granted& granted) const {
        line["grant"] = granted.grant;
        line["token"] = granted.token.text;
        line["lease_us"] = us(granted.lease);
        if (granted.fence != 0) line["fence"] = granted.fence;
        if (granted.mode != Mode::alone) line["mode"] = name_of(granted.mode);
        if (granted.left) line["left_us"] = us(*granted.left);
    }
    void operator()(const event::Lost&) const {}
    void operator()(const event::Leaving&) const {}
    void operator()(const event::Released& released) const {
        line["outcome"] = std::string(name_of(released.outcome));
    }
    void operator()(const event::Read& read) const { line["version"] = read.version; }
    void operator()(const event::Wrote& wrote) const {
        line["base"] = wrote.base;
        line["previous"] = wrote.previous;
        line["version"] = wrote.version;
        line["grant"] = wrote.grant;
    }
    void operator()(const event::Fault& fault) const {
        line["hazard"] = std::string(name_of(fault.hazard));
        line["amount_us"] = us(fault.amount);
        line["call"] = fault.call;
        if (fault.node != NodeId{0}) line["node"] = fault.node.value;
        if (fault.by_itself) line["by_itself"] = true;
        if (!fault.key.empty()) line["key"] = fault.key;
        if (fault.error) line["error"] = std::string(row_of(*fault.error).code);
        if (fault.ran) line["ran"] = true;
    }
    void operator()(const event::Finished&) const {}
    void operator()(const event::Failed& failed) const { line["error"] = failed.error; }
    void operator()(const event::Denied& denied) const {
        line["fence"] = denied.fence;
        line["highest"] = denied.highest;
    }
    void operator()(const event::Learnt& learnt) const { line["master"] = learnt.master.value; }
};

NodeId read_node(JsonLine& line) {
    if (!line.has("node")) return NodeId{0};
    return NodeId{static_cast<std::uint32_t>(line.whole("node", kOracle.value))};
}

std::uint64_t read_call(JsonLine& line) { return line.has("call") ? line.whole("call") : 0; }

KeyEffect read_effect(JsonLine& line) {
    KeyEffect effect{named(line, "effect", kEffects)};
    if (line.has("ttl_us")) effect.ttl = line.time("ttl_us");
    const bool uncertain = line.has("uncertain") && line.flag("uncertain");
    if (uncertain) effect.source = KeyEffect::Source::uncertain;
    return effect;
}

std::vector<event::OtherKey> read_others(JsonLine& line) {
    std::vector<event::OtherKey> others;
    const json* const list = line.find("others");
    if (list == nullptr) return others;
    if (!list->is_array()) line.fail("'others' must be a list, like [{\"key\":\"k\",...}]");
    for (const json& element : *list) {
        JsonLine row = line.part(element);
        std::string key = row.text("key");
        others.push_back({std::move(key), read_effect(row)});
        row.done("an entry of 'others'");
    }
    return others;
}

event::Executed read_executed(JsonLine& line, NamedScripts& scripts, Instant at) {
    const std::uint64_t call = read_call(line);
    const NodeId node = read_node(line);
    const Instant sent = line.has("sent_us") ? Instant(line.time("sent_us")) : at;
    if (sent > at) line.fail("'sent_us' lies after 't_us'; a command runs after it was sent");
    Command command = line.has("command") ? read_command(line, scripts) : Command();
    const json* answer = line.find("reply");
    Reply reply = answer != nullptr ? read_reply(line, *answer) : Reply::unknown();
    if (line.has("effect")) {
        const KeyEffect effect = read_effect(line);
        event::Executed ran{call, node, sent, std::move(command), std::move(reply), effect};
        ran.others = read_others(line);
        return ran;
    }
    if (command.empty() || command.script() != nullptr || answer == nullptr) {
        line.fail(
            "the key 'effect' is missing (none, created, replaced, extended or deleted); only of "
            "a plain 'command' with its 'reply' can it be worked out");
    }
    return {call, node, sent, std::move(command), std::move(reply)};
}

event::Granted read_granted(JsonLine& line, std::uint64_t next_grant) {
    event::Granted granted;
    granted.grant = line.has("grant") ? line.whole("grant") : next_grant;
    if (line.has("token")) granted.token.text = line.text("token");
    if (line.has("lease_us")) granted.lease = line.time("lease_us");
    if (line.has("fence")) granted.fence = line.whole("fence");
    if (line.has("mode")) granted.mode = named(line, "mode", kModes);
    if (line.has("left_us")) granted.left = line.amount("left_us");
    return granted;
}

event::Wrote read_wrote(JsonLine& line) {
    event::Wrote wrote;
    wrote.base = line.whole("base");
    wrote.previous = line.whole("previous");
    wrote.version = line.whole("version");
    if (line.has("grant")) wrote.grant = line.whole("grant");
    return wrote;
}

void read_form(JsonLine& line, event::Fault& fault) {
    if (line.has("error")) {
        std::array<std::string_view, kErrorKinds.size()> codes;
        for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = kErrorKinds[i].code;
        fault.error = kErrorKinds[line.word("error", codes)].kind;
    }
    if (line.has("ran")) fault.ran = line.flag("ran");
    const bool may_err = !fault.error || fault.hazard == Hazard::error_reply;
    if (!may_err) line.fail("'error' is of an error_reply alone");
    const bool may_run = !fault.ran || fault.hazard == Hazard::reset;
    if (!may_run) line.fail("'ran' is of a reset alone");
}

event::Fault read_fault(JsonLine& line) {
    std::array<Hazard, kHazards.size()> hazards;
    for (std::size_t i = 0; i < hazards.size(); ++i) hazards[i] = kHazards[i].hazard;
    event::Fault fault{named(line, "hazard", hazards), {}, read_call(line), read_node(line)};
    if (line.has("amount_us")) fault.amount = line.amount("amount_us");
    if (line.has("by_itself")) fault.by_itself = line.flag("by_itself");
    const HazardRow& row = row_of(fault.hazard);
    const bool is_crash = row.target == FaultTarget::client && row.size == FaultSize::none;
    if (fault.by_itself && !is_crash) line.fail("'by_itself' is of a crash alone");
    if (line.has("key")) fault.key = line.text("key");
    const bool may_name = fault.key.empty() || row.loss == FaultLoss::key;
    if (!may_name) line.fail("'key' is of an eviction alone");
    read_form(line, fault);
    return fault;
}

EventDetail read_detail(JsonLine& line, NamedScripts& scripts, std::string_view kind, Instant at,
                        std::uint64_t next_grant) {
    if (kind == "wants") return event::Wants{line.has("again") && line.flag("again")};
    if (kind == "refused") return event::Refused{line.has("unsure") && line.flag("unsure")};
    if (kind == "sent") {
        const std::uint64_t call = read_call(line);
        const NodeId node = read_node(line);
        Command command = read_command(line, scripts);
        const std::uint64_t ago =
            line.has("rounds_ago") ? line.whole("rounds_ago", kMostRoundsAgo) : 0;
        return event::Sent{call, node, std::move(command), static_cast<std::uint32_t>(ago)};
    }
    if (kind == "executed") return read_executed(line, scripts, at);
    if (kind == "replied") {
        return event::Replied{read_call(line), read_reply(line, line.at("reply"))};
    }
    if (kind == "granted") return read_granted(line, next_grant);
    if (kind == "lost") return event::Lost{};
    if (kind == "leaving") return event::Leaving{};
    if (kind == "released") {
        if (!line.has("outcome")) return event::Released{};
        return event::Released{named(line, "outcome", kOutcomes)};
    }
    if (kind == "read") return event::Read{line.whole("version")};
    if (kind == "wrote") return read_wrote(line);
    if (kind == "fault") return read_fault(line);
    if (kind == "denied") return event::Denied{line.whole("fence"), line.whole("highest")};
    if (kind == "learnt") {
        return event::Learnt{{static_cast<std::uint32_t>(line.whole("master", kOracle.value - 1))}};
    }
    if (kind == "failed") return event::Failed{line.has("error") ? line.text("error") : ""};
    return event::Finished{};
}

}  // namespace

ordered_json to_json(const Event& event) {
    ordered_json line;
    line["t_us"] = us(event.at);
    line["client"] = event.client.value;
    line["phase"] = std::string(name_of(event.phase));
    line["event"] = std::string(kEvents[event.detail.index()]);
    if (event.resource != ResourceId{}) line["lock"] = event.resource.value;
    std::visit(AddDetail{line}, event.detail);
    return line;
}

Event read_event(JsonLine& line, NamedScripts& scripts, std::uint64_t next_grant) {
    const std::string_view kind = kEvents[line.word("event", kEvents)];
    Event event;
    event.at = Instant(line.time("t_us"));
    event.client = ClientId{static_cast<std::uint32_t>(line.whole("client", kMostClients - 1))};
    if (line.has("phase")) event.phase = named(line, "phase", kPhases);
    if (line.has("lock")) {
        const std::uint64_t lock = line.whole("lock", ResourceId::kMost - 1);
        event.resource = ResourceId{static_cast<std::uint32_t>(lock)};
    }
    event.detail = read_detail(line, scripts, kind, event.at, next_grant);
    line.done("a line of the event " + in_quotes(kind));
    return event;
}

}  // namespace locklab
