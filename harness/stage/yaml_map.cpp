#include "harness/stage/yaml_map.h"

#include <algorithm>
#include <utility>

#include "harness/core/nearest.h"
#include "harness/stage/sentence_pattern.h"

namespace locklab {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

}  // namespace

YamlMap::YamlMap(const YamlFile& file, const YamlNode& node, Place place, std::string subject,
                 const std::string& right, std::span<const std::string_view> known)
    : file_(file),
      place_(place),
      subject_(std::move(subject)),
      entries_(file.entries(node, subject_, right)) {
    for (const YamlEntry& entry : entries_) {
        if (std::find(known.begin(), known.end(), entry.key.text) != known.end()) continue;
        file.fail(entry.key.place, unknown_word("key", entry.key.text, known));
    }
}

const YamlEntry* YamlMap::find(std::string_view key) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(),
                     [key](const YamlEntry& entry) { return entry.key.text == key; });
    return found == entries_.end() ? nullptr : &*found;
}

const YamlEntry& YamlMap::at(std::string_view key) const {
    if (const YamlEntry* entry = find(key)) return *entry;
    file_.fail(place_, subject_ + " lacks the key " + in_quotes(key));
}

std::string YamlMap::text(std::string_view key) const {
    const YamlNode& value = at(key).value;
    file_.want(YamlNode::Kind::text, value, in_quotes(key), "a text");
    std::string text = trimmed(value.text);
    if (text.empty()) file_.fail(value.place, in_quotes(key) + " is empty; right would be a text");
    return text;
}

std::string YamlMap::text_or_nothing(std::string_view key) const {
    return find(key) == nullptr ? "" : text(key);
}

Duration YamlMap::duration(std::string_view key) const {
    const std::string word = text(key);
    if (const std::optional<Duration> time = parse_time(word)) return *time;
    file_.fail(at(key).value.place, in_quotes(key) + " is " + in_quotes(word) +
                                        ", not a duration above nought; right would be like 10s "
                                        "or 250ms");
}

std::optional<Duration> YamlMap::duration_or_nothing(std::string_view key) const {
    if (find(key) == nullptr) return std::nullopt;
    return duration(key);
}

std::size_t client_at(const YamlFile& file, const YamlNode& node, std::size_t offset,
                      std::string_view name, std::span<const std::string_view> cast) {
    const auto found = std::find(cast.begin(), cast.end(), name);
    if (found == cast.end()) {
        file.fail(node.place_of(offset), unknown_word("client", name, cast));
    }
    return static_cast<std::size_t>(found - cast.begin());
}

}  // namespace locklab
