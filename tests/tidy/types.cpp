#include "tests/tidy/types.h"

#include <algorithm>
#include <map>
#include <regex>

namespace locklab::tidy {

namespace {

/// What a brace opened: a namespace, or anything else.
struct Block {
    bool is_namespace = false;
    std::string name;
};

/// "locklab::event::Wants" and the line where it is defined, for each type outside of others.
std::vector<std::pair<std::string, std::size_t>> types_of(const Source& source) {
    static const std::regex space(R"(^(?:inline )?namespace ?([\w:]*) ?\{)");
    static const std::regex type(R"(^(?:struct|class|union|enum class) (\w+)\b(?!::)[^;<]*$)");
    std::vector<std::pair<std::string, std::size_t>> types;
    std::vector<Block> blocks;
    std::size_t number = 0;
    const std::string code = code_of(source);
    for (const std::string_view view : lines_of(code)) {
        const std::string line(view);
        ++number;
        std::smatch found;
        const bool outside = !line.empty() && line[0] >= 'a' && line[0] <= 'z' &&
                             std::ranges::all_of(blocks, &Block::is_namespace);
        if (outside && std::regex_search(line, found, space)) {
            blocks.push_back({true, found[1].str().empty() ? source.path : found[1].str()});
            continue;
        }
        if (outside && std::regex_search(line, found, type)) {
            std::string name;
            for (const Block& block : blocks) name += block.name + "::";
            types.emplace_back(name + found[1].str(), number);
        }
        for (const char c : line) {
            if (c == '{') blocks.emplace_back();
            if (c == '}' && !blocks.empty()) blocks.pop_back();
        }
    }
    return types;
}

}  // namespace

Findings check_types(const std::vector<Source>& sources) {
    Findings findings;
    std::map<std::string, std::string> defined;
    for (const Source& source : sources) {
        if (!is_cpp(source.path)) continue;
        for (const auto& [name, line] : types_of(source)) {
            const auto [known, is_new] = defined.emplace(name, source.path);
            if (is_new || known->second == source.path) continue;
            findings.push_back({source.path, line,
                                "defines " + name + ", as " + known->second + " does",
                                "give it a name of its own"});
        }
    }
    return findings;
}

}  // namespace locklab::tidy
