#include "tests/tidy/functions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

namespace locklab::tidy {

namespace {

constexpr std::size_t kLines = 50;

/// A function that may be longer, but not longer than it is.
struct LongFunction {
    std::string_view path;
    std::string_view name;
    std::size_t lines;
};
constexpr std::array<LongFunction, 2> kLong{{
    // A switch with a case for each kind of step: what a step does to a client stands in one place.
    {"harness/explore/client_table.cpp", "ClientTable::changed", 100},
    // Fills in a row, field by field.
    {"harness/explore/client_row.cpp", "ClientTable::row_of", 65},
}};

bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':' || c == '~';
}

/// Only code without what the preprocessor reads.
std::string plain_code(const Source& source) {
    std::string code = code_of(source);
    bool goes_on = false;
    for (std::size_t begin = 0; begin < code.size();) {
        const std::size_t end = std::min(code.find('\n', begin), code.size());
        const bool blank = goes_on || code[begin] == '#';
        goes_on = blank && end > begin && code[end - 1] == '\\';
        if (blank) std::fill(&code[begin], &code[end], ' ');
        begin = end + 1;
    }
    return code;
}

/// Reads code brace by brace. What stands before a brace says what it opens.
class Reader {
public:
    explicit Reader(std::string code) : code_(std::move(code)) {}

    std::vector<Function> read() {
        for (const char c : code_) {
            if (c == '\n') ++line_;
            if (c == '{') {
                open();
            } else if (c == '}') {
                close();
            } else if (c == ';' && is_whole()) {
                before_.clear();
            } else {
                before_ += c == '\n' ? ' ' : c;
            }
        }
        return std::move(functions_);
    }

private:
    enum class Opens { scope, value, function };
    struct Brace {
        Opens opens = Opens::value;
        std::size_t line = 0;
        std::string before;
    };

    bool in_function() const {
        return std::ranges::count(braces_, Opens::function, &Brace::opens) > 0;
    }
    bool is_whole() const {
        return std::ranges::count(before_, '(') == std::ranges::count(before_, ')');
    }

    void open() {
        braces_.push_back({what_opens(), line_, before_});
        before_.clear();
    }

    void close() {
        if (braces_.empty()) return;
        const Brace brace = std::move(braces_.back());
        braces_.pop_back();
        // After a value in braces the statement goes on: Lock::Lock() : id_{1} {
        before_ = brace.opens == Opens::value ? brace.before + "()" : "";
        if (brace.opens != Opens::function) return;
        const std::size_t lines = line_ == brace.line ? 0 : line_ - brace.line - 1;
        functions_.push_back({name_in(brace.before), brace.line, lines});
    }

    /// A function's parameters, and what may follow them, stand right before its brace.
    Opens what_opens() const {
        static const std::regex end(
            R"(\)\s*((const|noexcept|override|final|mutable)\b\s*|&+\s*|->[^=()]*)*$)");
        static const std::regex scope(R"(\b(namespace|extern)\b)");
        if (in_function()) return Opens::value;
        if (std::regex_search(before_, scope)) return Opens::scope;
        const bool ends = is_whole() && std::regex_search(before_, end);
        return ends && !name_in(before_).empty() ? Opens::function : Opens::value;
    }

    /// The word before the parameters; nothing where there are none.
    static std::string name_in(const std::string& before) {
        if (before.find("](") != std::string::npos) return "a lambda";
        if (before.find("operator") != std::string::npos) return "an operator";
        std::size_t angles = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (before[i] == '<') ++angles;
            if (before[i] == '>' && angles > 0) --angles;
            if (before[i] != '(' || angles > 0) continue;
            std::size_t begin = i;
            while (begin > 0 && is_name(before[begin - 1])) --begin;
            return before.substr(begin, i - begin);
        }
        return "";
    }

    std::string code_;
    std::size_t line_ = 1;
    std::string before_;
    std::vector<Brace> braces_;
    std::vector<Function> functions_;
};

bool has_short_functions(std::string_view path) {
    return is_cpp(path) && (path.starts_with("harness/") || path.starts_with("algorithms/"));
}

std::size_t most_lines(const Source& source, const Function& function) {
    for (const LongFunction& is_long : kLong) {
        if (is_long.path == source.path && is_long.name == function.name) return is_long.lines;
    }
    return kLines;
}

}  // namespace

std::vector<Function> functions_of(const Source& source) {
    return Reader(plain_code(source)).read();
}

Findings check_function_length(const Source& source) {
    Findings findings;
    if (!has_short_functions(source.path)) return findings;
    for (const Function& function : functions_of(source)) {
        const std::size_t most = most_lines(source, function);
        if (function.lines <= most) continue;
        findings.push_back(
            {source.path, function.line,
             function.name + " has " + std::to_string(function.lines) + " lines",
             "give its steps names; " + std::to_string(most) + " is the limit here"});
    }
    return findings;
}

Findings check_long_functions(const std::vector<Source>& sources) {
    Findings findings;
    for (const LongFunction& is_long : kLong) {
        const Source* source = find(sources, is_long.path);
        const auto is_it = [&](const Function& function) {
            return function.name == is_long.name && function.lines > kLines;
        };
        if (source != nullptr && std::ranges::any_of(functions_of(*source), is_it)) continue;
        findings.push_back({std::string(is_long.path), 1,
                            "has no long function " + std::string(is_long.name),
                            "take it out of the list in tests/tidy/functions.cpp"});
    }
    return findings;
}

}  // namespace locklab::tidy
