// What one rank writes to another: numbers and rows as they lie in memory. All ranks run one build.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/explore/ranks.h"

namespace locklab {

class Parcel {
public:
    template <class Row>
    void put(const Row& row) {
        put_rows(std::span(&row, 1));
    }
    /// How many there are, and all of them.
    template <class Row>
    void put_all(std::span<const Row> rows) {
        put(static_cast<std::uint64_t>(rows.size()));
        put_rows(rows);
    }
    void put_text(const std::string& text) { put_all(std::span<const char>(text)); }

    const Bytes& bytes() const { return bytes_; }

private:
    template <class Row>
    void put_rows(std::span<const Row> rows) {
        static_assert(std::is_trivially_copyable_v<Row>);
        const std::span<const std::byte> raw = std::as_bytes(rows);
        bytes_.insert(bytes_.end(), raw.begin(), raw.end());
    }

    Bytes bytes_;
};

/// Reads what was put, in the same order. Throws std::runtime_error if that was not so much.
class ParcelReader {
public:
    /// The bytes must outlive the reader.
    explicit ParcelReader(const Bytes& bytes) : left_(bytes) {}

    template <class Row>
    Row get() {
        Row row{};
        take(std::as_writable_bytes(std::span(&row, 1)));
        return row;
    }
    /// Appends the rows to `rows`.
    template <class Row>
    void get_all(std::vector<Row>& rows) {
        static_assert(std::is_trivially_copyable_v<Row>);
        const auto count = get<std::uint64_t>();
        if (count > left_.size() / sizeof(Row)) throw std::runtime_error(kNotSaid);
        const std::size_t before = rows.size();
        rows.resize(before + count);
        take(std::as_writable_bytes(std::span(rows).subspan(before)));
    }
    std::string get_text() {
        std::vector<char> text;
        get_all(text);
        return {text.begin(), text.end()};
    }

private:
    static constexpr const char* kNotSaid =
        "the ranks do not speak of one thing any more: this is a bug of locklab";

    void take(std::span<std::byte> into) {
        if (into.size() > left_.size()) throw std::runtime_error(kNotSaid);
        if (!into.empty()) std::memcpy(into.data(), left_.data(), into.size());
        left_ = left_.subspan(into.size());
    }

    std::span<const std::byte> left_;
};

}  // namespace locklab
