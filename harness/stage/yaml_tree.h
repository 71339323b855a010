// A YAML file as a tree whose nodes know where they stand, so that every complaint can point to
// the word it is about. Stricter than YAML: no key twice, no anchors, aliases, tags or controls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

/// Where something stands in a file: both from 1, columns in characters.
struct Place {
    std::size_t line = 1;
    std::size_t column = 1;
};

struct YamlNode {
    enum class Kind : std::uint8_t { nothing, text, list, map };
    Kind kind = Kind::nothing;
    Place place;
    std::string text;
    /// Whether the text stands in the file as it is, and on one line; at which column.
    bool verbatim = false;
    std::size_t text_column = 1;
    std::vector<YamlNode> items;  ///< of a map: key, value, key, value, ...

    /// The place of one byte of the text; of the whole node where that cannot be said.
    Place place_of(std::size_t offset) const;
};

/// A key of a map, and its value, which is never nothing.
struct YamlEntry {
    const YamlNode& key;
    const YamlNode& value;
};

class YamlFile {
public:
    /// Parses one document. `name` is what messages call the file. Throws ScenarioError, as does
    /// every other member function that finds something wrong.
    YamlFile(std::string name, std::string_view text);

    const std::string& name() const { return name_; }
    /// Of kind nothing if the file is empty.
    const YamlNode& root() const { return root_; }

    [[noreturn]] void fail(Place place, const std::string& what) const;
    /// Fails unless the node is of this kind: "<subject> is a list; right would be <right>".
    void want(YamlNode::Kind kind, const YamlNode& node, const std::string& subject,
              const std::string& right) const;
    /// What a map holds. Fails for anything but a map, and for a key given twice.
    std::vector<YamlEntry> entries(const YamlNode& node, const std::string& subject,
                                   const std::string& right) const;

private:
    std::string name_;
    YamlNode root_;
};

}  // namespace locklab
