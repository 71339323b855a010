#include "harness/driver/driver.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/record/json_line.h"

namespace locklab {

Driver::Driver(std::string name, const DriverProcess::Start& start)
    : name_(std::move(name)), process_(start), lines_("the driver of " + name_) {}

std::uint64_t Driver::ask(DriverOp op, const nlohmann::ordered_json& more) {
    const std::string line = lines_.ask(op, more);
    if (failure_.empty() && !process_.say(line)) takes_nothing_ = true;
    return lines_.asked();
}

void Driver::cancel(std::uint64_t id) {
    if (failure_.empty() && !process_.say(DriverLines::cancel(id))) takes_nothing_ = true;
}

DriverWord Driver::hear(Duration limit) {
    if (!failure_.empty()) return DriverFailure{failure_, has_ended_};
    std::string line;
    switch (process_.hear(line, limit)) {
        case DriverProcess::Heard::line: break;
        case DriverProcess::Heard::silence:
            if (takes_nothing_ || lines_.waiting() > kMostWaiting) {
                return fail("does not read what it is told");
            }
            return DriverSilence{};
        case DriverProcess::Heard::end: return fail(process_.how_it_ended(), true);
        case DriverProcess::Heard::flood: return fail("says a line of more than 1,000,000 bytes");
    }
    try {
        const auto word = lines_.read(line);
        if (const auto* answer = std::get_if<DriverAnswer>(&word)) {
            events_ = 0;
            return *answer;
        }
        if (++events_ > kMostEvents) return fail("says more than anybody can want to know");
        return std::get<DriverEvent>(word);
    } catch (const FormatError& error) {
        return fail(std::string("speaks nonsense (") + error.what() + ")");
    }
}

DriverFailure Driver::fail(const std::string& what, bool has_ended) {
    has_ended_ = has_ended;
    failure_ = "The driver of " + name_ + " " + what;
    process_.kill();
    const std::string words = process_.last_words();
    failure_ += words.empty() ? "." : "; it said last: " + words;
    return {failure_, has_ended_};
}

std::string Driver::finish(Duration limit) {
    if (!failure_.empty()) return failure_;
    ask(DriverOp::exit);
    process_.say_no_more();
    const auto end = std::chrono::steady_clock::now() + limit;
    std::string line;
    while (true) {
        const auto left =
            std::chrono::duration_cast<Duration>(end - std::chrono::steady_clock::now());
        const DriverProcess::Heard heard = process_.hear(line, std::max(left, Duration::zero()));
        if (heard == DriverProcess::Heard::end) break;
        if (heard != DriverProcess::Heard::line || left <= Duration::zero()) {
            return fail("does not end").sentence;
        }
    }
    process_.kill();
    return "";
}

}  // namespace locklab
