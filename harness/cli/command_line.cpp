#include "harness/cli/command_line.h"

#include <charconv>
#include <cstdlib>
#include <iostream>

#include "algorithms/registry.h"
#include "harness/cli/known_libraries.h"
#include "harness/core/duration_text.h"
#include "harness/core/nearest.h"
#include "harness/record/files.h"

namespace locklab {

namespace {

constexpr Duration kLongest = std::chrono::hours(24);

}  // namespace

CommandLine::CommandLine(std::string_view verb, po::options_description options,
                         std::size_t most_operands)
    : verb_(verb), most_operands_(most_operands) {
    options_.add(options);
    options_.add_options()("json", "print one JSON object on stdout, and nothing else there")(
        "help,h", "print this");
}

bool CommandLine::parse(const Arguments& arguments) {
    po::options_description all;
    all.add(options_);
    all.add_options()("operand", po::value<std::vector<std::string>>());
    po::positional_options_description positions;
    positions.add("operand", -1);
    using namespace po::command_line_style;
    const int style = unix_style & ~allow_guessing;
    try {
        po::store(po::command_line_parser(arguments)
                      .options(all)
                      .positional(positions)
                      .style(style)
                      .run(),
                  values_);
        po::notify(values_);
    } catch (const po::error& error) {
        refuse(error);
    }
    if (values_.count("help") > 0) {
        help();
        return false;
    }
    refuse_empty_values();
    if (values_.count("operand") > 0) operands_ = get<std::vector<std::string>>("operand");
    if (operands_.size() > most_operands_) {
        throw UsageError("'" + operands_[most_operands_] + "' is one word too many for 'locklab " +
                         verb_ + "'; see 'locklab " + verb_ + " --help'");
    }
    return true;
}

void CommandLine::refuse(const po::error& error) const {
    if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
        std::vector<std::string> names;
        for (const auto& option : options_.options()) names.push_back("--" + option->long_name());
        const std::vector<std::string_view> known(names.begin(), names.end());
        throw UsageError(unknown_word("option", unknown->get_option_name(), known));
    }
    throw UsageError(std::string(error.what()) + "; see 'locklab " + verb_ + " --help'");
}

void CommandLine::refuse_empty_values() const {
    for (const auto& [name, value] : values_) {
        const po::option_description* option = options_.find_nothrow(name, false);
        const bool takes_value = option != nullptr && option->semantic()->max_tokens() > 0;
        const auto* text = boost::any_cast<std::string>(&value.value());
        if (!takes_value || text == nullptr || !text->empty()) continue;
        throw UsageError("--" + name + " has an empty value; see 'locklab " + verb_ + " --help'");
    }
}

void CommandLine::help() const {
    for (const Verb& verb : kVerbs) {
        if (verb.name != verb_) continue;
        std::cout << "locklab " << verb.name << " " << verb.arguments << "\n  " << verb.meaning
                  << "\n\n";
    }
    std::cout << options_;
}

Duration duration_option(const CommandLine& line, const std::string& option) {
    const auto& text = line.get<std::string>(option);
    const auto duration = parse_duration(text);
    if (duration && *duration > Duration::zero() && *duration <= kLongest) return *duration;
    throw UsageError("--" + option + " " + in_quotes(text) +
                     " is no duration from 1us to 1440min; right would be 250us, 10ms or 1.5s");
}

std::uint64_t count_option(const CommandLine& line, const std::string& option, std::uint64_t least,
                           std::uint64_t most) {
    const auto& text = line.get<std::string>(option);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= least &&
        value <= most) {
        return value;
    }
    throw UsageError("--" + option + " " + in_quotes(text) + " is no whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
}

const Algorithm& require_algorithm(std::string_view name) {
    if (const Algorithm* algorithm = algorithm_named(name)) return *algorithm;
    if (const std::string hint = library_hint(name); !hint.empty()) throw UsageError(hint);
    std::vector<std::string_view> names;
    for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
    throw UsageError(unknown_word("algorithm", name, names));
}

Exit exit_code(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds: return kExitHolds;
        case Verdict::violated:
        case Verdict::stuck: return kExitViolated;
        case Verdict::unknown: break;
    }
    return kExitUnknown;
}

std::string home_folder() {
    const char* home = std::getenv("LOCKLAB_HOME");
    return home != nullptr && *home != '\0' ? home : ".";
}

std::filesystem::path output_folder(const CommandLine& line, const std::string& option,
                                    const std::filesystem::path& usual) {
    namespace fs = std::filesystem;
    const fs::path folder = line.has(option) ? fs::path(line.get<std::string>(option)) : usual;
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

}  // namespace locklab
