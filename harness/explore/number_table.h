// Maps a 64-bit key to a 32-bit number, by open addressing: the look-up of every step of a search.
// The table only grows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace locklab {

class NumberTable {
public:
    /// Nothing if the key is not there. Safe from several threads while none adds.
    std::optional<std::uint32_t> find(std::uint64_t key) const {
        for (std::size_t place = slot_of(key, slots_.size());; ++place) {
            const Slot& slot = slots_[place & (slots_.size() - 1)];
            if (slot.number == kNone) return std::nullopt;
            if (slot.key == key) return slot.number;
        }
    }
    /// The key must not be there. The number must not be the greatest.
    void add(std::uint64_t key, std::uint32_t number) {
        if (++count_ * 2 > slots_.size()) grow();
        put(slots_, {key, number});
    }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t number = kNone;
    };

    /// Keys are composed of small numbers, so the hash must spread each of their bits.
    static std::size_t slot_of(std::uint64_t key, std::size_t slots) {
        key *= 0x9E3779B97F4A7C15U;
        key = (key ^ key >> 32) * 0xD6E8FEB86659FD93U;
        return static_cast<std::size_t>(key >> 32) & (slots - 1);
    }
    static void put(std::vector<Slot>& slots, const Slot& slot) {
        std::size_t place = slot_of(slot.key, slots.size());
        while (slots[place & (slots.size() - 1)].number != kNone) ++place;
        slots[place & (slots.size() - 1)] = slot;
    }
    void grow() {
        std::vector<Slot> bigger(slots_.size() * 4);
        for (const Slot& slot : slots_) {
            if (slot.number != kNone) put(bigger, slot);
        }
        slots_ = std::move(bigger);
    }

    std::vector<Slot> slots_ = std::vector<Slot>(256);
    std::size_t count_ = 0;
};

}  // namespace locklab
