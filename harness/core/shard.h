// A part of a command's work that another machine can do: shard I of N.
#pragma once

#include <cstdint>
#include <string>

namespace locklab {

struct Shard {
    std::uint64_t index = 0;  ///< from 0 to of - 1
    std::uint64_t of = 1;

    /// Reads "I/N". Throws UsageError.
    static Shard parse(const std::string& text);

    /// Whether the piece of this number, of pieces that differ in length, is in this shard.
    bool has(std::uint64_t piece) const { return piece % of == index; }
    /// The shard's part of `count` equal pieces in a row: from first() up to end().
    std::uint64_t first(std::uint64_t count) const { return begin_of(index, count); }
    std::uint64_t end(std::uint64_t count) const { return begin_of(index + 1, count); }

    bool operator==(const Shard&) const = default;

private:
    /// The first shards have one more where it does not divide.
    std::uint64_t begin_of(std::uint64_t shard, std::uint64_t count) const {
        const std::uint64_t more = count % of;
        return shard * (count / of) + (shard < more ? shard : more);
    }
};

std::string to_string(const Shard& shard);

}  // namespace locklab
