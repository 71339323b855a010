#include "harness/foreign/library_defect.h"

#include <array>

#include "harness/record/files.h"
#include "harness/record/json_line.h"

namespace locklab {

namespace {

constexpr std::string_view kTracker = "Tracker: ";
constexpr std::string_view kRun = "Run in the installed folder: ";
constexpr std::size_t kLongestScript = 100'000;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// The words of the comment at the top, its lines joined.
std::string comment_of(std::string_view script) {
    constexpr std::string_view kQuotes = "\"\"\"";
    constexpr std::array<std::string_view, 2> kMarks{"//", "#"};
    std::string comment;
    const auto add = [&](std::string_view line) {
        comment.append(comment.empty() ? "" : " ").append(trimmed(line));
    };
    const bool is_quoted = script.starts_with(kQuotes);
    if (is_quoted) {
        script.remove_prefix(kQuotes.size());
        script = script.substr(0, script.find(kQuotes));
    }
    while (!script.empty()) {
        const std::size_t end = script.find('\n');
        std::string_view line = script.substr(0, end);
        script.remove_prefix(end == std::string_view::npos ? script.size() : end + 1);
        if (is_quoted) {
            add(line);
            continue;
        }
        bool is_comment = false;
        for (const std::string_view mark : kMarks) {
            if (is_comment || !line.starts_with(mark)) continue;
            is_comment = true;
            add(line.substr(mark.size()));
        }
        if (!is_comment) break;
    }
    return comment;
}

}  // namespace

LibraryDefect read_defect(std::string_view script, const std::string& file) {
    const std::string comment = comment_of(script);
    const std::size_t tracker = comment.find(kTracker);
    const std::size_t run = comment.find(kRun, tracker == std::string::npos ? 0 : tracker);
    if (tracker == std::string::npos || tracker == 0 || run == std::string::npos) {
        throw JsonLine::error(file, 1,
                              "the comment at its top does not say what is wrong, then \"" +
                                  std::string(kTracker) + "...\", then \"" + std::string(kRun) +
                                  "...\"");
    }
    const std::size_t told = tracker + kTracker.size();
    return {file, std::string(trimmed(std::string_view(comment).substr(0, tracker))),
            std::string(trimmed(std::string_view(comment).substr(told, run - told))),
            std::string(trimmed(std::string_view(comment).substr(run + kRun.size()))),
            std::string(script)};
}

std::vector<LibraryDefect> defects_of(const Library& library) {
    std::vector<LibraryDefect> defects;
    for (const Library::File& file : library.files()) {
        if (!file.name.starts_with("defects/")) continue;
        defects.push_back(
            read_defect(read_text(file.from, kLongestScript, "a script of a defect"), file.name));
    }
    return defects;
}

}  // namespace locklab
