// Who may hold a lock together: a mutex has one permit, a semaphore several; a read-write lock is
// shared by any number of clients, or held by one alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace locklab {

/// How a client wants a lock.
enum class Mode : std::uint8_t {
    alone,   ///< no other client inside
    shared,  ///< together with others that share it
};

inline constexpr std::array kModes{Mode::alone, Mode::shared};
constexpr std::string_view name_of(Mode mode) { return mode == Mode::alone ? "alone" : "shared"; }
constexpr std::optional<Mode> mode_named(std::string_view name) {
    for (const Mode mode : kModes) {
        if (name_of(mode) == name) return mode;
    }
    return std::nullopt;
}

/// How many clients that share a lock may be inside at once.
using Permits = std::uint32_t;
inline constexpr Permits kAnyNumber = 0;

/// The clients inside, counted by mode.
struct Crowd {
    std::uint32_t alone = 0;
    std::uint32_t shared = 0;

    constexpr void add(Mode mode) { ++(mode == Mode::alone ? alone : shared); }
    constexpr bool is_allowed(Permits permits) const {
        if (alone > 0) return alone + shared == 1;
        return permits == kAnyNumber || shared <= permits;
    }
};

}  // namespace locklab
