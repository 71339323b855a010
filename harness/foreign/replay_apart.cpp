#include "harness/foreign/replay_apart.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "harness/core/assert.h"
#include "harness/driver/apart.h"
#include "harness/foreign/team.h"
#include "harness/store/redis/key_shadow.h"

namespace locklab {

namespace {

/// The child's result; the effects of all commands and Inclusion::why follow it.
struct FoundApart {
    Inclusion::Found found;
    bool has_event;
    std::uint64_t executions;
    std::uint64_t unanswered;
    std::uint64_t event;
    std::uint64_t effects;
};

template <class T>
void put(std::string& bytes, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
T take(std::string_view& bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    LOCKLAB_ASSERT(bytes.size() >= sizeof(T));
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    bytes.remove_prefix(sizeof(T));
    return value;
}

/// Effects of all commands, in the order of the log.
std::vector<KeyEffect*> effects_of(History& history) {
    std::vector<KeyEffect*> effects;
    for (Event& event : history.events) {
        if (auto* ran = std::get_if<event::Executed>(&event.detail)) {
            effects.push_back(&ran->effect);
        }
    }
    return effects;
}

std::string replay(History& history, const ServerNotes& notes, Apart& apart) {
    const Inclusion order = find_order(history, notes);
    apart.at(0);
    tell_effects(history, notes.keys);
    const std::vector<KeyEffect*> effects = effects_of(history);
    std::string bytes;
    put(bytes, FoundApart{order.found, order.event.has_value(), order.executions, order.unanswered,
                          order.event.value_or(0), effects.size()});
    for (const KeyEffect* effect : effects) put(bytes, *effect);
    return bytes + order.why;
}

std::string replayed(History& history, const ServerNotes& notes, const std::string& who) {
    try {
        return done_apart([&](Apart& apart) { return replay(history, notes, apart); });
    } catch (const ApartError& error) {
        throw DriverTrouble("What " + who + " sent cannot be judged: running it again " +
                            error.what() + ".");
    } catch (const std::runtime_error& error) {
        throw DriverTrouble("What " + who + " sent cannot be judged: " + error.what() + ".");
    }
}

}  // namespace

Inclusion replay_apart(History& history, const ServerNotes& notes, const std::string& who) {
    const std::string whole = replayed(history, notes, who);
    std::string_view bytes = whole;
    const FoundApart found = take<FoundApart>(bytes);
    const std::vector<KeyEffect*> effects = effects_of(history);
    LOCKLAB_ASSERT(found.effects == effects.size());
    for (KeyEffect* effect : effects) *effect = take<KeyEffect>(bytes);
    return {found.found, found.executions, found.unanswered,
            found.has_event ? std::optional<std::size_t>(found.event) : std::nullopt,
            std::string(bytes)};
}

}  // namespace locklab
