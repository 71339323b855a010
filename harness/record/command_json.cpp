#include "harness/record/command_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace locklab {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Number of a script's words that are keys: one by default. If it is no number, more than a
/// command can have.
std::uint64_t read_keys(const json& command, bool are_told) {
    if (!are_told) return 1;
    const json& keys = command["keys"];
    return keys.is_number_unsigned() ? keys.get<std::uint64_t>() : Command::kMostWords + 1;
}

}  // namespace

const Script& NamedScripts::named(const std::string& name) {
    const auto [row, fresh] = scripts_.try_emplace(name);
    if (fresh) row->second.script.name = row->first;
    return row->second.script;
}

void NamedScripts::tell(const std::string& name, std::string lua) {
    const auto row = scripts_.try_emplace(name).first;
    row->second.lua = std::move(lua);
    row->second.script = {row->first, row->second.lua};
}

ordered_json to_json(const Command& command) {
    ordered_json words = ordered_json::array();
    for (std::size_t i = 0; i < command.size(); ++i) words.push_back(std::string(command[i]));
    if (command.script() == nullptr) return words;
    ordered_json script{{"script", std::string(command.script()->name)},
                        {"words", std::move(words)}};
    if (command.keys() != 1) script["keys"] = command.keys();
    return script;
}

Command read_command(JsonLine& line, NamedScripts& scripts) {
    const json& value = line.at("command");
    const bool tells_keys = value.is_object() && value.contains("keys");
    const bool scripted = value.is_object() && value.size() == (tells_keys ? 3 : 2) &&
                          value.contains("script") && value["script"].is_string() &&
                          value.contains("words");
    const json& words = scripted ? value["words"] : value;
    const std::uint64_t keys = read_keys(value, tells_keys);
    const bool right = words.is_array() && (scripted || !words.empty()) &&
                       words.size() <= Command::kMostWords && (!scripted || keys <= words.size());
    std::size_t bytes = 0;
    Command command;
    if (scripted && right) {
        command = Command(scripts.named(value["script"].get<std::string>()),
                          static_cast<std::uint8_t>(keys));
    }
    for (const json& word : words) {
        if (!right || !word.is_string()) break;
        bytes += word.get_ref<const std::string&>().size();
        if (bytes > Command::kMostBytes) break;
        command.add(word.get_ref<const std::string&>());
    }
    if (!right || command.size() != words.size()) {
        line.fail(
            "'command' is neither a list of 1 to " + std::to_string(Command::kMostWords) +
            " words (65535 bytes at most) nor {\"script\":\"its name\",\"words\":[...]}, whose "
            "\"keys\", if there, says how many of its words are keys");
    }
    return command;
}

}  // namespace locklab
