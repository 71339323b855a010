// A map of a YAML file with a fixed set of keys.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/time.h"
#include "harness/stage/yaml_tree.h"

namespace locklab {

/// Every member function throws ScenarioError for wrong input.
class YamlMap {
public:
    /// Refuses every key that is not among `known`. `place`: the position for complaints about
    /// missing keys. `subject`: the map's name in messages; `right`: what it should be.
    YamlMap(const YamlFile& file, const YamlNode& node, Place place, std::string subject,
            const std::string& right, std::span<const std::string_view> known);

    /// Null if the map has no such key.
    const YamlEntry* find(std::string_view key) const;
    const YamlEntry& at(std::string_view key) const;

    std::string text(std::string_view key) const;
    std::string text_or_nothing(std::string_view key) const;
    /// More than zero.
    Duration duration(std::string_view key) const;
    std::optional<Duration> duration_or_nothing(std::string_view key) const;

private:
    const YamlFile& file_;
    Place place_;
    std::string subject_;
    std::vector<YamlEntry> entries_;
};

/// The client that a text names from its byte `offset` on.
std::size_t client_at(const YamlFile& file, const YamlNode& node, std::size_t offset,
                      std::string_view name, std::span<const std::string_view> cast);

}  // namespace locklab
