#include "harness/cli/command_line.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <iostream>
#include <sstream>

#include "harness/core/duration_text.h"
#include "harness/core/nearest.h"
#include "harness/core/printable.h"
#include "harness/record/files.h"

namespace locklab {

namespace {

namespace po = boost::program_options;

constexpr Duration kLongest = std::chrono::hours(24);
constexpr const char* kOperand = "operand";

po::options_description described(const OptionList& options, const std::string& title) {
    po::options_description rows(title);
    for (const Option& option : options) {
        if (!option.value.is_text) {
            rows.add_options()(option.name, option.meaning);
            continue;
        }
        auto* const text = po::value<std::string>();
        if (option.value.preset != nullptr) text->default_value(option.value.preset);
        rows.add_options()(option.name, text, option.meaning);
    }
    po::options_description all;
    if (!options.empty()) all.add(rows);
    all.add_options()("json", "print one JSON object on stdout, and nothing else there")(
        "help,h", "print this");
    return all;
}

[[noreturn]] void refuse(const po::error& error, const po::options_description& options,
                         const std::string& see_help) {
    if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
        std::vector<std::string> names;
        for (const auto& option : options.options()) names.push_back("--" + option->long_name());
        const std::vector<std::string_view> known(names.begin(), names.end());
        throw UsageError(unknown_word("option", unknown->get_option_name(), known));
    }
    throw UsageError(error.what() + see_help);
}

}  // namespace

CommandLine::CommandLine(std::string_view verb, OptionList options, std::size_t most_operands,
                         std::string title)
    : verb_(verb),
      options_(std::move(options)),
      most_operands_(most_operands),
      title_(std::move(title)) {}

bool CommandLine::parse(const Arguments& arguments) {
    // Results name their inputs, and JSON allows only UTF-8.
    for (const std::string& word : arguments) {
        if (is_utf8(word)) continue;
        throw UsageError(in_quotes(printable(word)) +
                         " is no UTF-8; right would be words and names of files in UTF-8");
    }
    read(arguments);
    if (has("help")) {
        help();
        return false;
    }
    const std::string see_help = "; see 'locklab " + verb_ + " --help'";
    for (const Option& option : options_) {
        if (!option.value.is_text || !has(option.name) || !get(option.name).empty()) continue;
        throw UsageError("--" + std::string(option.name) + " has an empty value" + see_help);
    }
    if (operands_.size() > most_operands_) {
        throw UsageError("'" + operands_[most_operands_] + "' is one word too many for 'locklab " +
                         verb_ + "'" + see_help);
    }
    return true;
}

void CommandLine::read(const Arguments& arguments) {
    const po::options_description known = described(options_, title_);
    po::options_description all;
    all.add(known).add_options()(kOperand, po::value<std::vector<std::string>>());
    po::positional_options_description positions;
    positions.add(kOperand, -1);
    using namespace po::command_line_style;
    const int style = unix_style & ~allow_guessing;
    po::variables_map values;
    try {
        po::store(po::command_line_parser(arguments)
                      .options(all)
                      .positional(positions)
                      .style(style)
                      .run(),
                  values);
    } catch (const po::error& error) {
        refuse(error, known, "; see 'locklab " + verb_ + " --help'");
    }
    for (const auto& [name, value] : values) {
        if (name == kOperand) {
            operands_ = value.as<std::vector<std::string>>();
            continue;
        }
        const auto* text = boost::any_cast<std::string>(&value.value());
        values_[name] = text != nullptr ? *text : "";
    }
}

std::map<std::string, std::string> CommandLine::chosen() const {
    std::map<std::string, std::string> values = values_;
    for (const Option& option : options_) {
        const bool is_text = option.value.is_text && option.value.preset != nullptr;
        if (is_text && get(option.name) == option.value.preset) values.erase(option.name);
    }
    return values;
}

void CommandLine::help() const {
    for (const Verb& verb : kVerbs) {
        if (verb.name != verb_) continue;
        std::cout << "locklab " << verb.name << " " << verb.arguments << "\n  " << verb.meaning
                  << "\n\n";
    }
    std::cout << described(options_, title_);
}

Duration duration_option(const CommandLine& line, const std::string& option) {
    const auto& text = line.get(option);
    const auto duration = parse_duration(text);
    if (duration && *duration > Duration::zero() && *duration <= kLongest) return *duration;
    throw UsageError("--" + option + " " + in_quotes(text) +
                     " is no duration from 1us to 1440min; right would be 250us, 10ms or 1.5s");
}

std::uint64_t count_option(const CommandLine& line, const std::string& option, std::uint64_t least,
                           std::uint64_t most) {
    const auto& text = line.get(option);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= least &&
        value <= most) {
        return value;
    }
    throw UsageError("--" + option + " " + in_quotes(text) + " is no whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
}

Exit exit_code(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds: return kExitHolds;
        case Verdict::violated:
        case Verdict::stuck: return kExitViolated;
        case Verdict::not_seen:
        case Verdict::unknown: break;
    }
    return kExitUnknown;
}

std::filesystem::path output_folder(const CommandLine& line, const std::string& option,
                                    const std::filesystem::path& usual) {
    namespace fs = std::filesystem;
    const fs::path folder = line.has(option) ? fs::path(line.get(option)) : usual;
    if (!is_utf8(folder.string())) {
        throw UsageError("results cannot be written to " + in_quotes(printable(folder.string())) +
                         " (the name is no UTF-8); right would be --" + option +
                         " FOLDER with a name in UTF-8");
    }
    std::error_code error;
    fs::create_directories(folder, error);
    try {
        write_file(folder / ".writable", "");
    } catch (const FileError& failure) {
        throw UsageError("results cannot be written to " + folder.string() + " (" +
                         (error ? error.message() : failure.what()) + "); right would be --" +
                         option + " FOLDER with a folder that can be written to");
    }
    fs::remove(folder / ".writable", error);
    return folder;
}

std::vector<std::string> parts_of(const std::string& list, char between) {
    std::vector<std::string> parts;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, between);) parts.push_back(part);
    return parts;
}

bool has_word(const Arguments& arguments, const std::string& option) {
    return std::ranges::any_of(arguments, [&](const std::string& word) {
        return word == option || word.starts_with(option + "=");
    });
}

}  // namespace locklab
