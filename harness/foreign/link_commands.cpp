#include "harness/foreign/link_commands.h"

#include <chrono>
#include <utility>

#include "harness/core/duration_text.h"
#include "harness/foreign/link_plan.h"

namespace locklab {

namespace {

RunStory::Clock::time_point time_of(const LinkEvent& event) {
    return RunStory::Clock::time_point(std::chrono::nanoseconds(event.head.at_ns));
}

}  // namespace

LinkCommands::LinkCommands(const LinkTable& table, Terms terms, RunStory& story,
                           ScriptTexts& scripts)
    : table_(table),
      since_(terms.since),
      story_(story),
      scripts_(scripts),
      teller_({.asked = std::move(terms.asked),
               .keys = std::move(terms.keys),
               .renews = terms.renews,
               .scripts = &scripts}) {}

bool LinkCommands::is_before(const LinkEvent& event) const { return time_of(event) < since_; }

Instant LinkCommands::at(const LinkEvent& event) const { return story_.instant_of(time_of(event)); }

void LinkCommands::see(const LinkEvent& event) {
    const Name name = name_of(event);
    const auto ran = [&] { teller_.answered(name, at(event), gated_reply(event.bytes)); };
    switch (event.head.moment) {
        case LinkMoment::request: return see_request(event);
        case LinkMoment::struck: return see_strike(event);
        case LinkMoment::answer:
            if (!delayed_.contains(name) && !refused_.contains(name)) ran();
            return teller_.told(name, at(event), gated_reply(event.bytes));
        case LinkMoment::withheld:
            if (!refused_.contains(name)) ran();
            return;
        case LinkMoment::delayed: delayed_.insert(name); return ran();
        case LinkMoment::opened:
        case LinkMoment::released:
        case LinkMoment::push:
        case LinkMoment::closed:
        case LinkMoment::refused:
        case LinkMoment::cut: return;
    }
}

void LinkCommands::see_request(const LinkEvent& event) {
    const EventHead& head = event.head;
    const bool is_whole = head.kept == head.size;
    const std::string text = is_whole ? script_text(event.bytes) : "";
    if (!text.empty()) scripts_.see(text);
    if (is_before(event)) return;
    const ClientId client = table_.client_of(head.link);
    const Phase phase = story_.phase_at(client, at(event));
    const bool is_asked = phase == Phase::acquire || phase == Phase::release;
    teller_.came({name_of(event), client, table_.node_at(head.link, time_of(event)), event.bytes,
                  is_whole, at(event), phase, is_asked});
    teller_.sent(name_of(event));
}

void LinkCommands::see_strike(const LinkEvent& event) {
    if (is_before(event)) return;
    const auto fault = static_cast<LinkFault>(event.head.fault);
    const std::uint16_t link = event.head.link;
    event::Fault noted{LinkPlan::hazard_of(fault), {}, 0, table_.node_at(link, time_of(event))};
    noted.ran = fault == LinkFault::reset_reply;
    if (cuts_link(fault)) noted.amount = parse_duration(event.bytes).value_or(Duration::zero());
    if (fault == LinkFault::error) {
        refused_.insert(name_of(event));
        noted.error = error_kind_named(event.bytes.substr(0, event.bytes.find(' ')));
    }
    teller_.struck(name_of(event), at(event), table_.client_of(link), std::move(noted));
    // The repetition is the next command of its connection.
    if (fault == LinkFault::repeat_request) teller_.comes_again(name_of(event));
}

void LinkCommands::tell() {
    teller_.learn_kinds();
    teller_.end();
    teller_.tell(story_);
}

}  // namespace locklab
