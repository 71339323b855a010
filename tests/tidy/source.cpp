#include "tests/tidy/source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>

namespace locklab::tidy {

namespace {

constexpr std::array<std::string_view, 6> kFolders{"algorithms", "harness",   "plots",
                                                   "results",    "scenarios", "tests"};
constexpr std::array<std::string_view, 6> kTopFiles{
    "CMakeLists.txt", "CONTRIBUTING.md", "README.md", "docker-compose.yml", ".ci/run", "locklab"};
constexpr std::array<std::string_view, 8> kExtensions{".h",  ".cpp", ".txt",  ".py",
                                                      ".md", ".yml", ".yaml", ".sh"};

Source read(const std::filesystem::path& top, const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return {file.lexically_relative(top).generic_string(), text.str()};
}

bool is_separator(std::string_view text, std::size_t quote) {
    return quote > 0 && std::isxdigit(static_cast<unsigned char>(text[quote - 1])) != 0;
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./:").find(c) != std::string_view::npos;
}

/// Blanks parts of C++ text. Newlines stay, so that lines keep their numbers.
class Blanker {
public:
    Blanker(std::string_view text, bool comments) : in_(text), out_(text), comments_(comments) {}

    std::string blank() {
        while (at_ < in_.size()) {
            const std::string_view rest = in_.substr(at_);
            if (rest.starts_with("//")) {
                comment(in_.find('\n', at_));
            } else if (rest.starts_with("/*")) {
                const std::size_t close = in_.find("*/", at_ + 2);
                comment(close == std::string_view::npos ? close : close + 2);
            } else if (rest.starts_with("R\"")) {
                raw_literal();
            } else if (in_[at_] == '"' || (in_[at_] == '\'' && !is_separator(in_, at_))) {
                literal(in_[at_]);
            } else {
                ++at_;
            }
        }
        return std::move(out_);
    }

private:
    void erase(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < std::min(end, out_.size()); ++i) {
            if (out_[i] != '\n') out_[i] = ' ';
        }
    }
    void comment(std::size_t end) {
        if (comments_) erase(at_, end);
        at_ = std::min(end, in_.size());
    }
    void raw_literal() {
        const std::size_t open = std::min(in_.find('(', at_), in_.size() - 1);
        const std::string close = ")" + std::string(in_.substr(at_ + 2, open - at_ - 2)) + "\"";
        const std::size_t end = in_.find(close, open);
        erase(open + 1, end);
        at_ = end == std::string_view::npos ? in_.size() : end + close.size();
    }
    void literal(char quote) {
        std::size_t end = at_ + 1;
        while (end < in_.size() && in_[end] != quote && in_[end] != '\n') {
            end += in_[end] == '\\' ? 2 : 1;
        }
        erase(at_ + 1, end);
        at_ = end + 1;
    }

    std::string_view in_;
    std::string out_;
    bool comments_;
    std::size_t at_ = 0;
};

std::string without_hash_comments(std::string_view text) {
    std::string out;
    for (const std::string_view line : lines_of(text)) {
        out.append(line.substr(0, line.find('#'))).push_back('\n');
    }
    return out;
}

}  // namespace

std::string to_string(const Finding& finding) {
    return finding.path + ":" + std::to_string(finding.line) + ": " + finding.wrong + "; " +
           finding.right;
}

std::vector<Source> read_project(const std::filesystem::path& top) {
    std::vector<Source> sources;
    for (const std::string_view file : kTopFiles) {
        if (exists(top / file)) sources.push_back(read(top, top / file));
    }
    for (const std::string_view folder : kFolders) {
        if (!exists(top / folder)) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(top / folder)) {
            const std::string extension = entry.path().extension().string();
            const bool ours = std::ranges::find(kExtensions, extension) != kExtensions.end();
            if (entry.is_regular_file() && ours) sources.push_back(read(top, entry.path()));
        }
    }
    std::ranges::sort(sources, {}, &Source::path);
    return sources;
}

const Source* find(const std::vector<Source>& sources, std::string_view path) {
    const auto found = std::ranges::find(sources, path, &Source::path);
    return found == sources.end() ? nullptr : &*found;
}

bool is_cpp(std::string_view path) { return path.ends_with(".h") || path.ends_with(".cpp"); }

bool is_cmake(std::string_view path) { return name_of(path) == "CMakeLists.txt"; }

std::string_view folder_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view stem_of(std::string_view path) {
    const std::string_view name = name_of(path);
    return name.substr(0, name.rfind('.'));
}

std::string_view room_of(std::string_view path) {
    if (path.starts_with("harness/")) path.remove_prefix(8);
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && is_word(text[i])) continue;
        if (i > begin) words.push_back(text.substr(begin, i - begin));
        begin = i + 1;
    }
    return words;
}

bool has_word(std::string_view text, std::string_view word) {
    const std::vector<std::string_view> words = words_of(text);
    return std::ranges::find(words, word) != words.end();
}

std::string without_literals(const Source& source) {
    return is_cpp(source.path) ? Blanker(source.text, false).blank() : source.text;
}

std::string code_of(const Source& source) {
    if (is_cpp(source.path)) return Blanker(source.text, true).blank();
    return is_cmake(source.path) ? without_hash_comments(source.text) : source.text;
}

}  // namespace locklab::tidy
