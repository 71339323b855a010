// Maps values to numbers and back: each different value is kept once. The table only grows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace locklab {

/// `Hash` gives 64 well-mixed bits.
template <class Value, class Hash>
class Interned {
public:
    const Value& operator[](std::uint32_t number) const { return values_[number]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }

    /// Nothing if the value is not there. Safe from several threads while none adds.
    std::optional<std::uint32_t> find(const Value& value) const {
        const std::size_t mask = places_.size() - 1;
        for (std::size_t place = Hash()(value) & mask;; place = (place + 1) & mask) {
            const std::uint32_t number = places_[place];
            if (number == kNone) return std::nullopt;
            if (values_[number] == value) return number;
        }
    }
    /// The value must not be there.
    std::uint32_t add(const Value& value) {
        const std::uint32_t number = size();
        values_.push_back(value);
        if (values_.size() * 2 > places_.size()) {
            places_.assign(places_.size() * 4, kNone);
            for (std::uint32_t i = 0; i < number; ++i) put(i);
        }
        put(number);
        return number;
    }
    std::uint32_t number_of(const Value& value) {
        const std::optional<std::uint32_t> known = find(value);
        return known ? *known : add(value);
    }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    void put(std::uint32_t number) {
        const std::size_t mask = places_.size() - 1;
        std::size_t place = Hash()(values_[number]) & mask;
        while (places_[place] != kNone) place = (place + 1) & mask;
        places_[place] = number;
    }

    std::vector<Value> values_;
    std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(256, kNone);
};

}  // namespace locklab
