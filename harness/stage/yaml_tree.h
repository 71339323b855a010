// A YAML file as a tree whose nodes know their places, so that every complaint can point to its
// word. Stricter than YAML: no key twice, no anchors, aliases, tags or controls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

/// A place in a file: line and column from 1, columns in characters.
struct Place {
    std::size_t line = 1;
    std::size_t column = 1;
};

struct YamlNode {
    enum class Kind : std::uint8_t { nothing, text, list, map };
    Kind kind = Kind::nothing;
    Place place;
    std::string text;
    /// Whether the text stands unchanged on one line of the file; at which column.
    bool verbatim = false;
    std::size_t text_column = 1;
    std::vector<YamlNode> items;  ///< of a map: key, value, key, value, ...

    /// The place of one byte of the text; of the whole node if that is not known.
    Place place_of(std::size_t offset) const;
};

/// A key of a map, and its value, which is never nothing.
struct YamlEntry {
    const YamlNode& key;
    const YamlNode& value;
};

class YamlFile {
public:
    /// Parses one document. `name` is the file's name in messages. Throws ScenarioError, as do all
    /// other member functions for wrong input.
    YamlFile(std::string name, std::string_view text);

    const std::string& name() const { return name_; }
    /// Of kind `nothing` if the file is empty.
    const YamlNode& root() const { return root_; }

    [[noreturn]] void fail(Place place, const std::string& what) const;
    /// Fails unless the node is of this kind: "<subject> is a list; right would be <right>".
    void want(YamlNode::Kind kind, const YamlNode& node, const std::string& subject,
              const std::string& right) const;
    /// The entries of a map. Fails for anything but a map, and for a key given twice.
    std::vector<YamlEntry> entries(const YamlNode& node, const std::string& subject,
                                   const std::string& right) const;

private:
    std::string name_;
    YamlNode root_;
};

}  // namespace locklab
