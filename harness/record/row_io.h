// Rows of results as JSON. Each kind of row lists its keys once, in a function template <class Io,
// RowOf<X> Row> void fields(Io& io, Row& row); this both writes them, in that order, and reads them
// back.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/check/judge.h"
#include "harness/core/hazard.h"
#include "harness/core/time.h"
#include "harness/core/world_kind.h"
#include "harness/record/json_line.h"

namespace locklab {

template <class Row, class Kind>
concept RowOf = std::same_as<std::remove_const_t<Row>, Kind>;

/// An object whose keys are names; keeps their order.
template <class Value>
using Named = std::vector<std::pair<std::string, Value>>;

class RowWriter {
public:
    using Json = nlohmann::ordered_json;

    template <class Value>
    void operator()(std::string_view key, const Value& value) {
        json_[std::string(key)] = written(value);
    }
    /// Writes null for an empty text.
    void or_null(std::string_view key, const std::string& text) {
        json_[std::string(key)] = text.empty() ? Json(nullptr) : Json(text);
    }
    /// Leaves the key out if there is no value.
    template <class Value>
    void if_any(std::string_view key, const std::optional<Value>& value) {
        if (value) (*this)(key, *value);
    }
    /// Written, but not read: it follows from other keys.
    template <class Value>
    void derived(std::string_view key, const Value& value) {
        (*this)(key, value);
    }

    Json take() { return std::move(json_); }

private:
    static Json written(bool value) { return value; }
    template <std::integral Number>
    static Json written(const Number& value) {
        return value;
    }
    static Json written(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
    static Json written(const std::string& text) { return text; }
    static Json written(Duration time) { return us(time); }
    static Json written(Verdict verdict) { return std::string(name_of(verdict)); }
    static Json written(WorldKind world) { return std::string(name_of(world)); }
    static Json written(Hazard hazard) { return std::string(name_of(hazard)); }
    template <class Value>
    static Json written(const std::optional<Value>& value) {
        return value ? written(*value) : Json(nullptr);
    }
    template <class Value>
    static Json written(const std::vector<Value>& values) {
        Json list = Json::array();
        for (const Value& value : values) list.push_back(written(value));
        return list;
    }
    template <class Value>
    static Json written(const Named<Value>& values) {
        Json object = Json::object();
        for (const auto& [name, value] : values) object[name] = written(value);
        return object;
    }
    template <class Row>
    static Json written(const Row& row) {
        RowWriter writer;
        fields(writer, row);
        return writer.take();
    }

    Json json_ = Json::object();
};

/// Throws FormatError, or what nlohmann::json throws, if a key is missing or has another type.
class RowReader {
public:
    using Json = nlohmann::ordered_json;

    /// `json` must outlive it.
    explicit RowReader(const Json& json) : json_(json) {}

    template <class Value>
    void operator()(std::string_view key, Value& value) {
        read(json_.at(std::string(key)), value);
    }
    void or_null(std::string_view key, std::string& text) {
        const Json& json = json_.at(std::string(key));
        text = json.is_null() ? std::string() : json.get<std::string>();
    }
    template <class Value>
    void if_any(std::string_view key, std::optional<Value>& value) {
        const auto found = json_.find(std::string(key));
        if (found != json_.end()) read(*found, value.emplace());
    }
    template <class Value>
    void derived(std::string_view, const Value&) {}

private:
    static void read(const Json& json, bool& value) { value = json.get<bool>(); }
    template <std::integral Number>
    static void read(const Json& json, Number& value) {
        value = json.get<Number>();
    }
    /// Values that are not finite are null.
    static void read(const Json& json, double& value) {
        value = json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
    }
    static void read(const Json& json, std::string& text) { text = json.get<std::string>(); }
    static void read(const Json& json, Duration& time) {
        time = Duration(json.get<std::int64_t>());
    }
    static void read(const Json& json, Verdict& verdict) {
        for (const Verdict one : kVerdicts) {
            if (json == name_of(one)) return void(verdict = one);
        }
        throw FormatError("there is no verdict " + json.dump());
    }
    static void read(const Json& json, WorldKind& world) {
        for (const WorldKind one : {WorldKind::sim, WorldKind::live}) {
            if (json == name_of(one)) return void(world = one);
        }
        throw FormatError("there is no world " + json.dump());
    }
    static void read(const Json& json, Hazard& hazard) {
        for (const HazardRow& row : kHazards) {
            if (json == row.name) return void(hazard = row.hazard);
        }
        throw FormatError("there is no hazard " + json.dump());
    }
    template <class Value>
    static void read(const Json& json, std::optional<Value>& value) {
        value.reset();
        if (!json.is_null()) read(json, value.emplace());
    }
    template <class Value>
    static void read(const Json& json, std::vector<Value>& values) {
        values.clear();
        for (const Json& one : json) read(one, values.emplace_back());
    }
    template <class Value>
    static void read(const Json& json, Named<Value>& values) {
        values.clear();
        for (const auto& [name, one] : json.items()) {
            values.emplace_back(name, Value());
            read(one, values.back().second);
        }
    }
    template <class Row>
    static void read(const Json& json, Row& row) {
        RowReader reader(json);
        fields(reader, row);
    }

    const Json& json_;
};

/// Writes a row that has a `fields` function.
template <class Row>
nlohmann::ordered_json written_row(const Row& row) {
    RowWriter writer;
    fields(writer, row);
    return writer.take();
}
template <class Row>
void read_fields(const nlohmann::ordered_json& json, Row& row) {
    RowReader reader(json);
    fields(reader, row);
}

/// Many rows, with the to_json() and read_row() of their kind.
template <class Row>
nlohmann::ordered_json rows_json(const std::vector<Row>& rows) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Row& row : rows) list.push_back(to_json(row));
    return list;
}
template <class Row>
void read_rows(const nlohmann::ordered_json& list, std::vector<Row>& rows) {
    rows.clear();
    for (const nlohmann::ordered_json& json : list) read_row(json, rows.emplace_back());
}

}  // namespace locklab
