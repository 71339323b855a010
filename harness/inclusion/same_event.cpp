#include "harness/inclusion/same_event.h"

#include <charconv>
#include <cstdlib>
#include <optional>

#include "harness/core/printable.h"

namespace locklab {

namespace {

std::optional<std::int64_t> number_in(std::string_view word) {
    std::int64_t number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_all = read.ec == std::errc() && read.ptr == word.data() + word.size();
    return is_all ? std::optional(number) : std::nullopt;
}

bool same_word(std::string_view one, std::string_view other, const Tolerance& tolerance) {
    if (one == other) return true;
    if (tolerance.units == 0) return false;
    const auto first = number_in(one);
    const auto second = number_in(other);
    return first && second && std::abs(*first - *second) <= tolerance.units;
}

bool same_script(const Script* one, const Script* other) {
    if (one == nullptr || other == nullptr) return one == other;
    return one == other || (one->name == other->name && one->lua == other->lua);
}

/// Compares two events of one kind.
struct Comparison {
    const Tolerance& tolerance;

    bool operator()(const event::Wants& a, const event::Wants& b) const {
        return a.again == b.again;
    }
    bool operator()(const event::Refused& a, const event::Refused& b) const {
        return a.unsure == b.unsure;
    }
    bool operator()(const event::Sent& a, const event::Sent& b) const {
        return a.call == b.call && a.node == b.node &&
               same_command(a.command, b.command, tolerance);
    }
    bool operator()(const event::Replied& a, const event::Replied& b) const {
        return a.call == b.call && a.reply == b.reply;
    }
    bool operator()(const event::Granted& a, const event::Granted& b) const {
        const Duration difference = std::chrono::abs(a.lease - b.lease);
        return a.grant == b.grant && a.fence == b.fence && a.mode == b.mode &&
               difference <= tolerance.lease && same_word(a.token.text, b.token.text, tolerance);
    }
    bool operator()(const event::Released& a, const event::Released& b) const {
        return a.outcome == b.outcome;
    }
    bool operator()(const event::Read& a, const event::Read& b) const {
        return a.version == b.version;
    }
    bool operator()(const event::Wrote& a, const event::Wrote& b) const {
        return a.base == b.base && a.previous == b.previous && a.version == b.version &&
               a.grant == b.grant;
    }
    bool operator()(const event::Denied& a, const event::Denied& b) const {
        return a.fence == b.fence && a.highest == b.highest;
    }
    bool operator()(const event::Fault& a, const event::Fault& b) const {
        return a.hazard == b.hazard && a.amount == b.amount && a.node == b.node &&
               a.call == b.call && a.error == b.error && a.ran == b.ran;
    }
    bool operator()(const event::Learnt& a, const event::Learnt& b) const {
        return a.master == b.master;
    }
    bool operator()(const event::Failed& a, const event::Failed& b) const {
        return a.error == b.error;
    }
    template <class One, class Other>
    bool operator()(const One&, const Other&) const {
        return std::is_same_v<One, Other>;
    }
};

/// Says in words what a client does.
struct Deed {
    std::string operator()(const event::Wants&) const { return "wants the lock"; }
    std::string operator()(const event::Refused&) const { return "is refused"; }
    std::string operator()(const event::Sent& sent) const {
        return "sends " + printable(to_string(sent.command));
    }
    std::string operator()(const event::Executed& ran) const {
        return "has " + printable(to_string(ran.command)) + " run";
    }
    std::string operator()(const event::Replied& told) const {
        return "is answered " + printable(to_string(told.reply));
    }
    std::string operator()(const event::Granted&) const { return "is granted the lock"; }
    std::string operator()(const event::Lost&) const { return "is told that the lock is lost"; }
    std::string operator()(const event::Leaving&) const { return "leaves"; }
    std::string operator()(const event::Released& released) const {
        return "has released: " + std::string(name_of(released.outcome));
    }
    std::string operator()(const event::Read& read) const {
        return "reads version " + std::to_string(read.version);
    }
    std::string operator()(const event::Wrote& wrote) const {
        return "writes version " + std::to_string(wrote.version);
    }
    std::string operator()(const event::Denied&) const { return "is denied its resource"; }
    std::string operator()(const event::Fault& fault) const {
        return "has the fault " + std::string(name_of(fault.hazard));
    }
    std::string operator()(const event::Finished&) const { return "finishes"; }
    std::string operator()(const event::Learnt&) const { return "learns of another master"; }
    std::string operator()(const event::Failed&) const { return "fails to take the lock"; }
};

}  // namespace

bool same_command(const Command& one, const Command& other, const Tolerance& tolerance) {
    const bool same_shape = one.size() == other.size() && one.keys() == other.keys();
    if (!same_shape || !same_script(one.script(), other.script())) return false;
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (!same_word(one[i], other[i], tolerance)) return false;
    }
    return true;
}

bool same_event(const Event& rules, const Event& told, const Tolerance& tolerance) {
    const bool is_fault = std::holds_alternative<event::Fault>(rules.detail);
    return rules.client == told.client && (is_fault || rules.phase == told.phase) &&
           (is_fault || rules.resource == told.resource) &&
           std::visit(Comparison{tolerance}, rules.detail, told.detail);
}

std::string deed_of(const Event& event) { return std::visit(Deed(), event.detail); }

std::string name_of(ClientId client) {
    const bool has_letter = client.value < 26;
    return "client " + (has_letter ? std::string(1, static_cast<char>('A' + client.value))
                                   : std::to_string(client.value + 1));
}

}  // namespace locklab
