#include "harness/view/timeline_folds.h"

#include <algorithm>
#include <string>

#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

/// Maps replies that look the same to a reader to one text. Times and counters differ between
/// tries.
std::string class_of(const Reply& reply) {
    if (reply.is_integer() && (reply.as_integer() > 1 || reply.as_integer() < -2)) return "number";
    return to_string(reply);
}

std::string name_of(const Command& command) {
    if (command.script() != nullptr) return std::string(command.script()->name);
    return command.empty() ? "" : std::string(command[0]);
}

/// A try, or one renewal: its events, and a text by which to compare it.
struct Unit {
    std::vector<std::size_t> events;
    std::vector<std::uint64_t> calls;
    std::string look;
    bool plain = true;
    bool unanswered = false;
    bool failed = false;
};

/// The units of one client's worker, or of its watchdog, one after another.
struct Chain {
    Unit unit;
    std::string last_look;
    std::uint64_t last_changes = 0;
    std::size_t last_event = 0;  ///< of the newest repetition
    Fold fold;
};

class Folder {
public:
    explicit Folder(const History& history) : history_(history) {
        result_.hidden.resize(history.events.size());
    }

    Folds fold() {
        for (std::size_t i = 0; i < history_.events.size(); ++i) take(i);
        for (Chain& chain : tries_.list) close(chain);
        for (Chain& chain : renewals_.list) close(chain);
        return std::move(result_);
    }

private:
    /// By client.
    struct Chains {
        std::vector<Chain> list;
        Chain& operator[](ClientId client) {
            if (client.value >= list.size()) list.resize(std::size_t{client.value} + 1);
            return list[client.value];
        }
    };

    void take(std::size_t i) {
        const Event& event = history_.events[i];
        const bool background = is_background(event);
        Chain& chain = background ? renewals_[event.client] : tries_[event.client];
        if (const auto* refused = std::get_if<event::Refused>(&event.detail)) {
            chain.unit.events.push_back(i);
            chain.unit.look += refused->unsure ? " unsure" : " refused";
            end(chain, false);
        } else if (std::holds_alternative<event::Failed>(event.detail)) {
            chain.unit.events.push_back(i);
            chain.unit.look += " failed";
            chain.unit.failed = true;
            end(chain, false);
        } else if (is_step(event) && (background || event.phase == Phase::acquire)) {
            step(chain, i, background);
        } else {
            start_anew(event);
        }
    }

    /// A fault has its client's phase, even if it struck a command of the watchdog.
    bool is_background(const Event& event) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault == nullptr || fault->call == 0) return event.phase == Phase::background;
        return std::ranges::count(renewals_[event.client].unit.calls, fault->call) > 0;
    }

    static bool is_step(const Event& event) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        return std::holds_alternative<event::Sent>(event.detail) ||
               std::holds_alternative<event::Executed>(event.detail) ||
               std::holds_alternative<event::Replied>(event.detail) ||
               (fault != nullptr && fault->hazard == Hazard::lose_request);
    }

    /// Something else happened to this client: what follows is shown in full.
    void start_anew(const Event& event) {
        ++changes_;
        close(tries_[event.client]);
        tries_[event.client] = Chain{};
        if (event.phase == Phase::inside && !std::holds_alternative<event::Fault>(event.detail)) {
            return;
        }
        close(renewals_[event.client]);
        renewals_[event.client] = Chain{};
    }

    void step(Chain& chain, std::size_t i, bool background) {
        const Event& event = history_.events[i];
        Unit& unit = chain.unit;
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            unit.calls.push_back(sent->call);
        } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
            const Effect effect = ran->effect.kind;
            if (effect != Effect::none && effect != Effect::extended) ++changes_;
            const bool plain = effect == Effect::none || (background && effect == Effect::extended);
            const bool known = std::ranges::find(unit.calls, ran->call) != unit.calls.end();
            if (ran->call != 0 && !known) return;
            if (!plain) unit.plain = false;
            unit.look += " " + name_of(ran->command) + " " + class_of(ran->reply);
        } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            if (replied->reply.is_unknown()) unit.unanswered = true;
            if (replied->reply.is_unknown()) unit.look += " nothing";
        } else {
            unit.look += " lost";
        }
        unit.events.push_back(i);
        if (background && std::holds_alternative<event::Replied>(event.detail)) end(chain, true);
    }

    void end(Chain& chain, bool background) {
        Unit unit = std::move(chain.unit);
        chain.unit = Unit{};
        const bool undisturbed = !background || chain.last_changes == changes_;
        chain.last_changes = changes_;
        if (unit.plain && !unit.look.empty() && unit.look == chain.last_look && undisturbed) {
            if (chain.fold.count == 0) chain.fold.since = history_.events[unit.events[0]].at;
            for (const std::size_t i : unit.events) result_.hidden[i] = true;
            ++chain.fold.count;
            chain.fold.background = background;
            chain.fold.unanswered = unit.unanswered;
            chain.fold.failed = unit.failed;
            chain.last_event = unit.events.back();
            return;
        }
        close(chain);
        chain.last_look = unit.plain ? unit.look : "";
    }

    void close(Chain& chain) {
        if (chain.fold.count > 0) result_.folds.emplace(chain.last_event, chain.fold);
        chain.fold = Fold{};
    }

    const History& history_;
    Folds result_;
    Chains tries_;
    Chains renewals_;
    std::uint64_t changes_ = 0;  ///< changes of the story so far: renewals after one differ
};

}  // namespace

std::string to_text(const Fold& fold) {
    const bool one = fold.count == 1;
    std::string text = std::to_string(fold.count) + " more ";
    if (fold.background) {
        text += one ? "renewal" : "renewals";
        text += fold.unanswered ? ", no answer" : " like this";
    } else {
        text += one ? "try, " : "tries, ";
        text += fold.unanswered ? "no answer" : fold.failed ? "failed" : "refused";
        if (!one && !fold.unanswered) text += " each time";
    }
    return one ? text : text + ", since " + seconds_text(fold.since) + " s";
}

Folds fold_repeats(const History& history) { return Folder(history).fold(); }

}  // namespace locklab
