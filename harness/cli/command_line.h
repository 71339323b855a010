// Shared by all verbs: options read with Boost.Program_options, errors that name the offending word
// and the nearest valid one, and the contract's exit codes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/judge.h"
#include "harness/cli/verbs.h"
#include "harness/core/time.h"
#include "harness/core/usage_error.h"

namespace locklab {

/// Exit codes that scripts depend on.
enum Exit : int {
    kExitHolds = 0,     ///< holds, or as expected
    kExitViolated = 1,  ///< violated, stuck, or not as expected
    kExitUnknown = 2,   ///< no verdict: interrupted, the disk filled up, or nothing was shown
    kExitUsage = 64,    ///< bad usage or bad input; nothing was run
};

/// The value of an option: none, or a text, with or without a default.
struct OptionValue {
    bool is_text = false;
    const char* preset = nullptr;
};
inline constexpr OptionValue kFlag;
inline constexpr OptionValue kText{true};
constexpr OptionValue preset(const char* text) { return {true, text}; }

struct Option {
    const char* name;
    OptionValue value;
    const char* meaning;
};
using OptionList = std::vector<Option>;

class CommandLine {
public:
    /// `verb` names a row of kVerbs; --help and --json are added to `options`. `most_operands`:
    /// largest number of words without an option.
    CommandLine(std::string_view verb, OptionList options, std::size_t most_operands,
                std::string title = "Options");

    /// Throws UsageError. False if it printed help and there is nothing else to do.
    bool parse(const Arguments& arguments);

    bool json() const { return has("json"); }
    bool has(const std::string& option) const { return values_.contains(option); }
    /// "" for a flag; throws std::out_of_range if has() is false.
    const std::string& get(const std::string& option) const { return values_.at(option); }
    const std::vector<std::string>& operands() const { return operands_; }
    /// Options with their values, without those that have their default.
    std::map<std::string, std::string> chosen() const;

private:
    void read(const Arguments& arguments);
    void help() const;

    std::string verb_;
    OptionList options_;
    std::size_t most_operands_;
    std::string title_;
    std::map<std::string, std::string> values_;
    std::vector<std::string> operands_;
};

/// A duration option; UsageError unless it is one, above zero, and at most a day: later
/// computations must not overflow.
Duration duration_option(const CommandLine& line, const std::string& option);

/// A count option, at least `least`; UsageError otherwise. (Boost reads "-1" as a huge number.)
std::uint64_t count_option(const CommandLine& line, const std::string& option, std::uint64_t least,
                           std::uint64_t most);

Exit exit_code(Verdict verdict);

/// The folder that `option` names for results, else `usual`. Makes it, and checks before hours of
/// work whether it is writable; UsageError if not.
std::filesystem::path output_folder(const CommandLine& line, const std::string& option,
                                    const std::filesystem::path& usual);

/// The parts of a list: "A,B".
std::vector<std::string> parts_of(const std::string& list, char between);

/// Whether the option was typed, rather than a default.
bool has_word(const Arguments& arguments, const std::string& option);

}  // namespace locklab
