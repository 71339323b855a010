#include "tests/tidy/names.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace locklab::tidy {

namespace {

using Matches = std::sregex_iterator;

bool is_capital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// aLock and ALock are a_lock.
std::string in_small_letters(const std::string& name) {
    std::string words;
    for (const char c : name) {
        if (is_capital(c) && !words.empty() && words.back() != '_') words += '_';
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

/// a_lock and aLock are ALock.
std::string in_capitals(const std::string& name) {
    std::string word;
    bool begins = true;
    for (const char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        if (c != '_') word += static_cast<char>(begins ? std::toupper(letter) : letter);
        begins = c == '_';
    }
    return word;
}

}  // namespace

Findings check_test_names(const Source& source) {
    static const std::regex google(R"(\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\))");
    static const std::regex python(R"(\bdef (test\w*)\()");
    Findings findings;
    if (!source.path.starts_with("tests/")) return findings;
    const auto expect = [&](const std::string& name, const std::string& right, std::size_t line) {
        if (name == right) return;
        findings.push_back({source.path, line, "calls a test " + name, "call it " + right});
    };
    const std::string code = code_of(source);
    const std::regex& named = is_cpp(source.path) ? google : python;
    for (Matches match(code.begin(), code.end(), named); match != Matches(); ++match) {
        const auto begin = code.begin() + match->position();
        const auto line = static_cast<std::size_t>(1 + std::count(code.begin(), begin, '\n'));
        const std::string last = match->str(match->size() - 1);
        if (is_cpp(source.path)) expect(match->str(1), in_capitals(match->str(1)), line);
        expect(last, in_small_letters(last), line);
    }
    return findings;
}

}  // namespace locklab::tidy
