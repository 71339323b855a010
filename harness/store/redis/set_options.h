// The words after SET key value: NX, XX or IFEQ, GET, and the time to live.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "harness/core/reply.h"
#include "harness/core/server_kind.h"

namespace locklab {

struct SetOptions {
    enum class Lifetime : std::uint8_t {
        forever,
        keep,                ///< KEEPTTL
        seconds,             ///< EX
        milliseconds,        ///< PX
        until_seconds,       ///< EXAT
        until_milliseconds,  ///< PXAT
    };
    bool only_new = false;       ///< NX
    bool only_existing = false;  ///< XX
    bool get = false;
    bool only_equal = false;  ///< IFEQ, of Valkey
    std::string_view equal;   ///< the word after IFEQ
    Lifetime lifetime = Lifetime::forever;
    std::string_view count;  ///< the word after EX, PX, EXAT or PXAT

    bool expires() const { return lifetime >= Lifetime::seconds; }
    /// Whether the option is the time of day at which the key expires.
    bool is_until() const { return lifetime >= Lifetime::until_seconds; }
};

/// Nothing if the words contradict each other, or one is unknown to this server.
std::optional<SetOptions> parse_set_options(std::span<const std::string_view> words,
                                            ServerKind server);

/// The words after GETEX key.
struct GetexOptions {
    SetOptions set;  ///< only its lifetime
    bool persist = false;
};

std::optional<GetexOptions> parse_getex_options(std::span<const std::string_view> words);

/// When a key with these options expires, in Unix ms. Nothing if the count is no number; zero if it
/// is out of range.
std::optional<std::int64_t> set_deadline(const SetOptions& options, std::int64_t now_ms);

}  // namespace locklab
