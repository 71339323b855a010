// What servers answered with errors in one run. An error is neither a refusal nor a grant, so
// whoever reads a verdict is told of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

struct ErrorAnswers {
    std::uint64_t answers = 0;  ///< errors that clients were told
    std::uint64_t tries = 0;    ///< that ended with an error, neither refused nor granted
    std::string first;          ///< the first error, to be shown; empty if there is none
    /// The first that is the server's own doing (READONLY, OOM, ...), to be shown; or empty.
    std::string servers;
};

/// Looks at a history event by event.
class ErrorWatch {
public:
    /// `is_model`: the server is a model, which serves always: what sounds otherwise is a script's.
    explicit ErrorWatch(bool is_model) : is_model_(is_model) {}
    void see(const Event& event);
    const ErrorAnswers& found() const { return found_; }
    /// The last error by which a try of a driver ended, where each of these clients has tried since
    /// the last grant, and every try ended so: nobody was told that the lock is another's. To be
    /// shown; empty: it is not so.
    std::string error_in_vain(const std::vector<ClientId>& waiting) const;

private:
    void take(const std::string& words);

    const bool is_model_;
    ErrorAnswers found_;
    std::set<std::uint32_t> failed_;  ///< clients, since the last grant
    bool refused_ = false;            ///< somebody, since then
    std::string latest_;
};

ErrorAnswers error_answers(const History& history);

}  // namespace locklab
