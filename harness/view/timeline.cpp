#include "harness/view/timeline.h"

#include <algorithm>
#include <map>
#include <utility>

#include "harness/check/inside.h"
#include "harness/check/judge.h"
#include "harness/check/trespass.h"
#include "harness/view/timeline_calls.h"
#include "harness/view/timeline_folds.h"
#include "harness/view/timeline_notes.h"
#include "harness/view/timeline_sheet.h"

namespace locklab {

namespace {

using Kind = TimelineRow::Kind;
using Role = TimelineDraft::Role;
using Effect = KeyEffect::Kind;

/// A shorter time is no gap, and a shorter command is one row.
constexpr Duration kShortestGap = std::chrono::milliseconds(100);
/// For processes of drivers: where they leave is not seen.
constexpr const char* kLastShown = "is shown to be inside for the last time";

/// Goes through a scene once, from its first event to its last, and makes its rows.
class Teller {
public:
    explicit Teller(const Scene& scene)
        : scene_(scene),
          history_(scene.history),
          judgement_(judge(scene.history)),
          trespasses_(trespasses(scene.history)),
          folds_(fold_repeats(scene.history)),
          calls_(words_),
          sheet_(scene, words_),
          held_up_(sheet_.names().size()),
          last_sent_(sheet_.names().size()),
          is_unanswered_(sheet_.names().size()) {
        for (const Inside& stay : stays_inside(history_)) holders_[stay.grant] = stay.client;
    }

    Timeline tell_all() {
        tell_unequal();
        for (std::size_t i = 0; i < history_.events.size(); ++i) take(i);
        const Instant end = end_of(history_);
        sheet_.advance(~std::size_t{0}, end);
        sheet_.tell_remarks_before(~std::size_t{0});
        tell_stuck(end);
        Timeline timeline;
        timeline.title = words_.of(std::string_view(scene_.title));
        timeline.algorithm = history_.algorithm;
        timeline.verdict = name_of(judgement_.verdict);
        timeline.names = sheet_.names();
        timeline.permits = history_.permits;
        timeline.nodes = calls_.nodes();
        timeline.has_key = !scene_.key.empty();
        for (const KeySight& sight : scene_.key) {
            timeline.longest_ttl = std::max(timeline.longest_ttl, sight.ttl.value_or(Duration(0)));
        }
        const Instant begin = history_.events.empty() ? end : history_.events.front().at;
        const Duration gap = std::max<Duration>(kShortestGap, (end - begin) / 20);
        const Duration longest = scene_.tells_latency ? Duration(1) : gap;
        timeline.rows = join_rows(std::move(sheet_.drafts()), gap, longest);
        return timeline;
    }

private:
    /// Rows for clients with options of their own.
    void tell_unequal() {
        const Instant begin = history_.events.empty() ? history_.end : history_.events[0].at;
        for (const ClientOptions& own : history_.unequal) {
            if (own.client.value >= sheet_.names().size()) continue;
            sheet_.add(Kind::remark, begin, std::nullopt).text =
                sheet_.name(own.client.value) + " " + to_string(own);
        }
    }

    void tell_stuck(Instant end) {
        for (const WaitInCircle& wait : judgement_.deadlock) {
            sheet_.add(Kind::stuck, end, wait.client.value).text =
                "is stuck: it has " + name_of(wait.has) + " and waits for " + name_of(wait.wants);
        }
        if (!judgement_.deadlock.empty()) return;
        for (const ClientId client : judgement_.liveness.waiting) {
            TimelineRow& row = sheet_.add(Kind::stuck, end, client.value);
            const bool has_it = history_.resources == 1 && row.lifelines[client.value].inside;
            row.text = has_it ? "is stuck: it waits for the lock that it has itself"
                              : "is stuck: it waits for a lock that no live client holds";
        }
    }

    void take(std::size_t i) {
        const Event& event = history_.events[i];
        sheet_.advance(i, event.at);
        sheet_.tell_remarks_before(i);
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        if (ran != nullptr && ran->node == kOracle) ran = nullptr;
        if (ran != nullptr && ran->effect.kind == Effect::created) {
            sheet_.key_was_free(ran->node, event.at);
        }
        place_ = i;
        sheet_.follow(i);
        const std::size_t before = sheet_.drafts().size();
        if (!folds_.hidden[i]) std::visit([&](const auto& it) { tell(event, it); }, event.detail);
        if (sheet_.drafts().size() > before) tell_violations();
        sheet_.see_key_after(i);
        const auto fold = folds_.folds.find(i);
        if (fold != folds_.folds.end()) tell_fold(event, fold->second);
    }

    void note(const Event& event, std::string text, Role role = Role::none) {
        sheet_.add(Kind::note, event.at, event.client.value, role).text = std::move(text);
    }
    /// `usual`: what the lock is called if there is only one.
    std::string lock_of(const Event& event, const std::string& usual) const {
        return history_.resources == 1 ? usual : name_of(event.resource);
    }
    std::string who(const Event& event) const { return sheet_.name(event.client.value); }

    void tell(const Event& event, const event::Wants&) {
        const std::size_t next = place_ + 1;
        const auto& events = history_.events;
        if (next < events.size() && events[next].client == event.client) return;
        note(event, "wants " + lock_of(event, "the lock"));
    }
    void tell(const Event& event, const event::Refused& refused) {
        is_unanswered_[event.client.value] = refused.unsure;
        const std::string text = refused.unsure ? "counts as refused" : "refused";
        // With always_releases, a client releases before its try is over.
        const bool released = last_sent_[event.client.value] == Phase::release;
        note(event, released ? "although its try was " + text : text, Role::refused);
    }
    void tell(const Event& event, const event::Failed&) {
        is_unanswered_[event.client.value] = true;
        note(event, "neither refused nor granted: an error", Role::refused);
    }
    void tell(const Event& event, const event::Sent& sent) {
        if (sent.node == kOracle) return;
        if (event.phase != Phase::background) last_sent_[event.client.value] = event.phase;
        sheet_.add(Kind::command, event.at, event.client.value).command = calls_.sent(event, sent);
    }
    void tell(const Event& event, const event::Executed& ran) {
        if (ran.node == kOracle) return;
        sheet_.add(Kind::command, event.at, event.client.value).command = calls_.ran(event, ran);
        tell_trespass(event);
        sheet_.key(ran.node).extend(event.at, ran.effect);
    }
    void tell(const Event& event, const event::Replied& replied) {
        const auto command = calls_.replied(event, replied);
        if (!command) return;
        sheet_.add(Kind::command, event.at, event.client.value).command = *command;
    }
    void tell(const Event& event, const event::Granted&) {
        is_unanswered_[event.client.value] = false;
        const bool is_one = history_.resources == 1;
        note(event, is_one ? "is inside" : "has " + name_of(event.resource), Role::granted);
    }
    void tell(const Event& event, const event::Lost&) {
        if (is_of_drivers()) return note(event, "is told, now or later, that its lock is lost");
        note(event, "is told that " + lock_of(event, "its lock") + " is lost");
    }
    void tell(const Event& event, const event::Leaving&) {
        const std::size_t next = place_ + 1;
        const auto& events = history_.events;
        const bool releases = next < events.size() && events[next].client == event.client &&
                              events[next].phase == Phase::release;
        if (is_of_drivers() && !releases) return note(event, kLastShown);
        const bool is_one = history_.resources == 1;
        note(event, is_one ? "leaves" : "leaves " + name_of(event.resource), Role::leaving);
    }
    void tell(const Event& event, const event::Released& released) {
        note(event, released_text(released.outcome), Role::released);
    }
    void tell(const Event& event, const event::Read& read) {
        held_up_[event.client.value] = false;
        note(event, "reads version " + std::to_string(read.version), Role::read);
    }
    void tell(const Event& event, const event::Wrote& wrote) {
        const std::string what =
            std::to_string(wrote.version) + ", computed from version " + std::to_string(wrote.base);
        const bool late = held_up_[event.client.value];
        held_up_[event.client.value] = false;
        note(event, (late ? "'s write arrives: version " : "writes version ") + what);
    }
    void tell(const Event& event, const event::Denied& denied) {
        held_up_[event.client.value] = false;
        if (denied.fence == 0) {
            return note(event, "'s write is refused: the lock's key does not hold its token");
        }
        note(event, "is refused by the resource: its fencing token is " +
                        std::to_string(denied.fence) + ", and " + std::to_string(denied.highest) +
                        " was shown before");
    }
    void tell(const Event& event, const event::Fault& fault) {
        if (takes_over(fault.hazard)) sheet_.take_over(fault.node);
        if (calls_.strike(fault, sheet_.drafts())) return;
        std::optional<std::uint32_t> client;
        if (!strikes_server(fault.hazard)) client = event.client.value;
        const bool to_resource = fault.hazard == Hazard::delay_request && is_inside(event);
        if (to_resource) held_up_[event.client.value] = true;
        sheet_.add(Kind::fault, event.at, client).text =
            to_resource ? "'s request to the resource is held up in the network"
                        : fault_text(fault, is_inside(event), sheet_.servers() > 1);
    }
    void tell(const Event& event, const event::Finished&) {
        if (is_unanswered_[event.client.value]) note(event, "gives up");
    }
    void tell(const Event& event, const event::Learnt& learnt) {
        note(event, "learns that Redis " + std::to_string(learnt.master.value + 1) + " is master");
    }

    /// Stays of drivers end where they were last proved to be inside, and not where they left.
    bool is_of_drivers() const { return history_.world == "driver"; }
    bool is_inside(const Event& event) const { return event.phase == Phase::inside; }

    /// Marks a command that changed the key of a client that still counted on it.
    void tell_trespass(const Event& event) {
        const auto found = std::ranges::find(trespasses_, place_, &Trespass::event);
        if (found == trespasses_.end()) return;
        const bool own = found->victim == found->by;
        const std::string& name = sheet_.name(found->victim.value);
        const std::string whose = own ? "its next round" : name;
        const std::string does = who(event) + (own ? ", late," : "");
        std::optional<std::uint32_t> other;
        if (!own) other = found->victim.value;
        const auto mark = [&](const char* verb, const std::string& detail) {
            sheet_.mark(event.client.value, other, does + verb + whose, detail);
        };
        const std::string leaves = name + " was about to delete it";
        if (found->did == Effect::deleted) {
            mark(" deletes the key of ",
                 "foreign delete: " +
                     (found->leaving ? leaves : name + " is not protected any more"));
        } else if (found->did == Effect::extended) {
            mark(" renews the key of ", "foreign renewal: the key lives longer or shorter than " +
                                            name + " has asked for");
        } else {
            mark(" overwrites the key of ",
                 "foreign value: " + name + " does not find its own there any more");
        }
    }

    std::optional<std::uint32_t> holder(std::uint64_t grant) const {
        const auto found = holders_.find(grant);
        return found == holders_.end() ? std::nullopt : std::optional(found->second.value);
    }

    void tell_violations() {
        for (const Violation& violation : judgement_.violations) {
            if (violation.event != place_ || is_told(violation)) continue;
            const auto other = holder(violation.other);
            std::optional<std::string> other_name;
            if (other) other_name = sheet_.name(*other);
            const std::uint32_t by = violation.client.value;
            sheet_.mark(by, other,
                        violation_text(violation, sheet_.name(by), other_name, history_.resources),
                        violation.counts ? cause_text(violation.cause)
                                         : "what comes of being inside at once");
        }
    }

    /// A write that destroys an update is reported once, even if its grant is also older.
    bool is_told(const Violation& violation) const {
        if (violation.kind != Violation::Kind::fence_inversion) return false;
        return std::ranges::any_of(judgement_.violations, [&](const Violation& other) {
            return other.event == violation.event && other.kind == Violation::Kind::lost_update;
        });
    }

    void tell_fold(const Event& event, const Fold& fold) {
        TimelineRow& row = sheet_.add(Kind::repeats, event.at, event.client.value);
        row.since = fold.since;
        row.text = to_text(fold);
    }

    const Scene& scene_;
    const History& history_;
    const Judgement judgement_;
    const std::vector<Trespass> trespasses_;
    const Folds folds_;
    ShortWords words_;
    CallTrail calls_;
    TimelineSheet sheet_;
    std::vector<bool> held_up_;        ///< by client: its request to the resource is on its way
    std::vector<Phase> last_sent_;     ///< by client: phase of its worker's last command
    std::vector<bool> is_unanswered_;  ///< by client: whether its last try had no answer
    std::map<std::uint64_t, ClientId> holders_;
    std::size_t place_ = 0;
};

}  // namespace

Timeline make_timeline(const Scene& scene) { return Teller(scene).tell_all(); }

}  // namespace locklab
