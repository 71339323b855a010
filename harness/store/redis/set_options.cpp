#include "harness/store/redis/set_options.h"

#include <array>
#include <limits>

#include "harness/store/redis/redis_text.h"

namespace locklab {

namespace {

using Lifetime = SetOptions::Lifetime;

struct LifetimeWord {
    std::string_view name;
    Lifetime lifetime;
};

constexpr std::array kLifetimeWords{
    LifetimeWord{"ex", Lifetime::seconds},
    LifetimeWord{"px", Lifetime::milliseconds},
    LifetimeWord{"exat", Lifetime::until_seconds},
    LifetimeWord{"pxat", Lifetime::until_milliseconds},
    LifetimeWord{"keepttl", Lifetime::keep},
};

Lifetime lifetime_named(std::string_view word) {
    for (const LifetimeWord& row : kLifetimeWords) {
        if (is_word(word, row.name)) return row.lifetime;
    }
    return Lifetime::forever;
}

}  // namespace

std::optional<SetOptions> parse_set_options(std::span<const std::string_view> words,
                                            ServerKind server) {
    SetOptions options;
    const bool has_ifeq = is_valkey(server);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool has_next = i + 1 < words.size();
        if (is_word(words[i], "nx") && !options.only_existing && !options.only_equal) {
            options.only_new = true;
        } else if (is_word(words[i], "xx") && !options.only_new && !options.only_equal) {
            options.only_existing = true;
        } else if (has_ifeq && is_word(words[i], "ifeq") && has_next && !options.only_new &&
                   !options.only_existing && !options.only_equal) {
            options.only_equal = true;
            options.equal = words[++i];
        } else if (is_word(words[i], "get")) {
            options.get = true;
        } else {
            // The same word twice is no contradiction: Redis takes the last count.
            const Lifetime lifetime = lifetime_named(words[i]);
            const bool again = options.lifetime == lifetime;
            if (lifetime == Lifetime::forever) return std::nullopt;
            if (options.lifetime != Lifetime::forever && !again) return std::nullopt;
            options.lifetime = lifetime;
            if (!options.expires()) continue;
            if (!has_next) return std::nullopt;
            options.count = words[++i];
        }
    }
    return options;
}

std::optional<GetexOptions> parse_getex_options(std::span<const std::string_view> words) {
    GetexOptions options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (is_word(words[i], "persist")) {
            if (options.set.lifetime != Lifetime::forever) return std::nullopt;
            options.persist = true;
            continue;
        }
        const Lifetime lifetime = lifetime_named(words[i]);
        const bool other =
            options.set.lifetime != Lifetime::forever && options.set.lifetime != lifetime;
        const bool known = lifetime != Lifetime::forever && lifetime != Lifetime::keep;
        if (!known || other || options.persist || i + 1 == words.size()) return std::nullopt;
        options.set.lifetime = lifetime;
        options.set.count = words[++i];
    }
    return options;
}

std::optional<std::int64_t> set_deadline(const SetOptions& options, std::int64_t now_ms) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const auto count = whole_number(options.count);
    if (!count) return std::nullopt;
    const bool seconds =
        options.lifetime == Lifetime::seconds || options.lifetime == Lifetime::until_seconds;
    const bool relative =
        options.lifetime == Lifetime::seconds || options.lifetime == Lifetime::milliseconds;
    if (*count <= 0 || (seconds && *count > kMost / 1000)) return 0;
    const std::int64_t length = seconds ? *count * 1000 : *count;
    if (!relative) return length;
    return length > kMost - now_ms ? 0 : length + now_ms;
}

}  // namespace locklab
