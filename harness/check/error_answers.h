// Errors that servers replied in one run. An error is neither a refusal nor a grant, so it is
// reported with the verdict.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

struct ErrorAnswers {
    std::uint64_t answers = 0;  ///< error replies that reached clients
    std::uint64_t tries = 0;    ///< tries that ended with an error, neither refused nor granted
    std::string first;          ///< the first error, to be shown; empty: none
    /// The first error that is the server's own doing (READONLY, OOM, ...), to be shown; or empty.
    std::string servers;
};

/// Follows a history event by event.
class ErrorWatch {
public:
    /// `is_model`: the server is a model, which always serves, so all errors come from scripts or
    /// locks.
    explicit ErrorWatch(bool is_model) : is_model_(is_model) {}
    void see(const Event& event);
    const ErrorAnswers& found() const { return found_; }
    /// For drivers: the last error, to be shown, if every try since the last holder left ended with
    /// one, and each client of `waiting` has tried since then. So no client was told that the lock
    /// is taken. A refusal may still answer a try that began before. Else empty.
    std::string error_in_vain(const std::vector<ClientId>& waiting) const;

private:
    void take(const std::string& words);
    void begin_anew();
    bool is_by_fault(const std::string& words) const;

    const bool is_model_;
    ErrorAnswers found_;
    std::set<ErrorKind> injected_;  ///< of faults
    std::set<std::uint32_t> holders_;
    std::set<std::uint32_t> failed_;   ///< clients whose try failed since a holder came or left
    std::set<std::uint32_t> refused_;  ///< clients that were refused once since then
    bool refused_again_ = false;       ///< some client was refused more than once
    std::string latest_;
};

ErrorAnswers error_answers(const History& history);

}  // namespace locklab
