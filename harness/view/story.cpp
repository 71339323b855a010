#include "harness/view/story.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/check/inside.h"
#include "harness/view/timeline_notes.h"

namespace locklab {

namespace {

/// The call that links the events of one command; 0: none.
std::uint64_t call_of(const Event& event) {
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) return sent->call;
    if (const auto* ran = std::get_if<event::Executed>(&event.detail)) return ran->call;
    if (const auto* told = std::get_if<event::Replied>(&event.detail)) return told->call;
    return 0;
}

bool is_servers(const Event& event) {
    const auto* fault = std::get_if<event::Fault>(&event.detail);
    return fault != nullptr && strikes_server(fault->hazard);
}

/// The effect of the event lasts: a wrong clock stays wrong, and a new master stays master.
bool lasts(const Event& event) {
    if (std::holds_alternative<event::Learnt>(event.detail)) return true;
    const auto* fault = std::get_if<event::Fault>(&event.detail);
    return fault != nullptr &&
           (row_of(fault->hazard).size == FaultSize::clock || takes_over(fault->hazard));
}

class Story {
public:
    Story(const History& history, const Judgement& judgement)
        : history_(history), judgement_(judgement) {
        for (std::size_t i = 0; i < history.events.size(); ++i) {
            const auto* sent = std::get_if<event::Sent>(&history.events[i].detail);
            if (sent != nullptr) sent_.emplace(sent->call, i);
        }
    }

    /// `wide`: include each client that changed the key since the first client began to want the
    /// lock, and not only since that client was inside.
    Scene tell(bool wide) {
        begin_.clear();
        if (judgement_.violations.empty()) {
            choose_the_stuck();
        } else {
            choose_the_violated(judgement_.violations.front(), wide);
        }
        return cut_out();
    }

private:
    void choose_the_violated(const Violation& violation, bool wide) {
        std::size_t first = violation.event;
        last_ = violation.event;
        for (const Inside& stay : stays_inside(history_)) {
            if (stay.grant != violation.grant && stay.grant != violation.other) continue;
            first = std::min(first, stay.begin);
            last_ = std::max(last_, stay.end);
            add_round_of(stay.client, stay.begin);
        }
        add_round_of(violation.client, violation.event);
        if (wide) {
            for (const auto& [client, begin] : begin_) first = std::min(first, begin);
        }
        add_who_changed_the_key(first, violation.event);
    }

    void choose_the_stuck() {
        std::size_t first = 0;
        for (std::size_t i = 0; i < history_.events.size(); ++i) {
            if (std::holds_alternative<event::Granted>(history_.events[i].detail)) first = i;
        }
        last_ = history_.events.size();
        if (first > 0) add_round_of(history_.events[first].client, first);
        add_who_changed_the_key(first, last_);
        for (const WaitInCircle& wait : judgement_.deadlock) add_round_of(wait.client, last_ - 1);
        if (judgement_.deadlock.empty()) {
            add_round_of(judgement_.liveness.waiting.front(), last_ - 1);
        }
    }

    /// Adds the senders of commands that ran between the two places and changed the key.
    void add_who_changed_the_key(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, history_.events.size()); ++i) {
            const auto* ran = std::get_if<event::Executed>(&history_.events[i].detail);
            if (ran == nullptr || ran->effect.kind == KeyEffect::Kind::none) continue;
            const auto sent = sent_.find(ran->call);
            add_round_of(history_.events[i].client, sent == sent_.end() ? i : sent->second);
        }
    }

    /// Adds the client to the story, from when it last began to want the lock before `place`.
    void add_round_of(ClientId client, std::size_t place) {
        std::size_t begin = place;
        for (std::size_t i = std::min(place + 1, history_.events.size()); i-- > 0;) {
            const Event& event = history_.events[i];
            if (event.client != client) continue;
            // With several locks, a client wants one after the other within a round.
            if (begin != place && std::holds_alternative<event::Released>(event.detail)) break;
            const auto* wants = std::get_if<event::Wants>(&event.detail);
            if (wants == nullptr || wants->again) continue;
            begin = i;
            if (history_.resources == 1) break;
        }
        const auto [known, is_new] = begin_.emplace(client.value, begin);
        if (!is_new) known->second = std::min(known->second, begin);
    }

    Scene cut_out() const {
        Scene scene;
        static_cast<HistoryHead&>(scene.history) = history_;
        scene.history.scripts = history_.scripts;
        scene.history.tasks = 1;  // the clients of a process need not all be in the story
        scene.history.clients = static_cast<std::uint32_t>(begin_.size());
        std::map<std::uint32_t, std::uint32_t> numbers;
        std::size_t first = last_;
        for (const auto& [client, begin] : begin_) {
            numbers.emplace(client, static_cast<std::uint32_t>(numbers.size()));
            scene.names.push_back("client " + std::to_string(client));
            first = std::min(first, begin);
        }
        std::set<std::uint64_t> calls;
        for (std::size_t i = 0; i < history_.events.size() && i <= last_; ++i) {
            Event event = history_.events[i];
            const auto known = begin_.find(event.client.value);
            const bool of_server = is_servers(event);
            const std::size_t begin = of_server               ? first
                                      : known == begin_.end() ? last_ + 1
                                                              : known->second;
            if (i < begin && !(lasts(event) && (of_server || known != begin_.end()))) continue;
            // Commands sent before that do not belong to the story.
            const std::uint64_t call = call_of(event);
            if (std::holds_alternative<event::Sent>(event.detail)) calls.insert(call);
            if (call != 0 && sent_.contains(call) && !calls.contains(call)) continue;
            event.client.value = of_server ? 0 : numbers.at(event.client.value);
            scene.history.events.push_back(std::move(event));
        }
        const bool to_the_end = last_ >= history_.events.size();
        scene.history.end = to_the_end ? history_.end : history_.events[last_].at;
        return scene;
    }

    const History& history_;
    const Judgement& judgement_;
    std::map<std::uint64_t, std::size_t> sent_;   ///< place of the Sent, by call
    std::map<std::uint32_t, std::size_t> begin_;  ///< place of the first event, by client
    std::size_t last_ = 0;                        ///< place of the last event
};

bool shows_the_same(const Judgement& part, const Judgement& whole) {
    if (whole.violations.empty()) {
        return part.violations.empty() && part.liveness.stuck &&
               part.deadlock.size() == whole.deadlock.size();
    }
    if (part.violations.empty()) return false;
    const Violation& shown = part.violations.front();
    const Violation& first = whole.violations.front();
    return shown.kind == first.kind && shown.cause == first.cause && shown.grant == first.grant;
}

}  // namespace

std::optional<Scene> story_of(const History& history, const Judgement& judgement) {
    if (judgement.violations.empty() && !judgement.liveness.stuck) return std::nullopt;
    Story story(history, judgement);
    for (const bool wide : {false, true}) {
        Scene scene = story.tell(wide);
        if (shows_the_same(judge(scene.history), judgement)) return scene;
    }
    return std::nullopt;
}

}  // namespace locklab
