#include "harness/core/shard.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "harness/core/nearest.h"
#include "harness/core/usage_error.h"

namespace locklab {

namespace {

constexpr std::uint64_t kMostShards = 100'000;

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

Shard Shard::parse(const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos) {
        const auto index = number_in(std::string_view(text).substr(0, slash));
        const auto of = number_in(std::string_view(text).substr(slash + 1));
        if (index && of && *index < *of && *of <= kMostShards) return {*index, *of};
    }
    throw UsageError("--shard " + in_quotes(text) +
                     " is no shard; right would be I/N with I from 0 to N-1, such as 0/8, and N "
                     "up to " +
                     std::to_string(kMostShards));
}

std::string to_string(const Shard& shard) {
    return std::to_string(shard.index) + "/" + std::to_string(shard.of);
}

}  // namespace locklab
