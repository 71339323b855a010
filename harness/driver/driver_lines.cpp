#include "harness/driver/driver_lines.h"

#include "harness/core/printable.h"
#include "harness/record/json_line.h"

namespace locklab {

namespace {

constexpr std::array<std::string_view, 2> kNodes{"one", "many"};
constexpr std::array<std::string_view, 3> kEvents{"lost", "unhandled", "crash"};
constexpr std::int64_t kLongestValidMs = 1'000'000'000;

/// Below zero if the grant's validity is over already.
Duration valid_of(JsonLine& line) {
    const nlohmann::json& value = line.at("valid_ms");
    const bool is_whole =
        value.is_number_unsigned()
            ? value.get<std::uint64_t>() <= kLongestValidMs
            : value.is_number_integer() && value.get<std::int64_t>() >= -kLongestValidMs;
    if (!is_whole) {
        line.fail(
            "'valid_ms' is " + value.dump() +
            "; right would be milliseconds, a whole number of up to 1000000000 on either side of "
            "0, or null where the library does not tell");
    }
    return std::chrono::milliseconds(value.get<std::int64_t>());
}

}  // namespace

std::string DriverLines::ask(DriverOp op, const nlohmann::ordered_json& more) {
    nlohmann::ordered_json line{{"id", ++asked_}, {"op", kDriverOps[static_cast<std::size_t>(op)]}};
    if (more.is_object()) line.update(more);
    waiting_[asked_] = op;
    return line.dump() + "\n";
}

std::string DriverLines::cancel(std::uint64_t id) {
    return nlohmann::ordered_json{{"id", id}, {"op", kCancel}}.dump() + "\n";
}

std::variant<DriverAnswer, DriverEvent> DriverLines::read(std::string_view text) {
    JsonLine line(name_, ++lines_, text);
    if (line.has("ev")) return read_event(line);
    return read_answer(line);
}

DriverEvent DriverLines::read_event(JsonLine& line) {
    DriverEvent event;
    event.kind = static_cast<DriverEvent::Kind>(line.word("ev", kEvents));
    if (line.has("what")) event.what = printable(line.text("what"));
    line.done("an event");
    return event;
}

DriverAnswer DriverLines::read_answer(JsonLine& line) {
    DriverAnswer answer;
    answer.id = line.whole("id");
    const auto asked = waiting_.find(answer.id);
    if (asked == waiting_.end()) {
        const bool is_old = answer.id > 0 && answer.id <= asked_;
        line.fail("it answers " + std::to_string(answer.id) + ", which " +
                  (is_old ? "was answered before" : "nobody asked"));
    }
    answer.op = asked->second;
    answer.called = line.time("called_us");
    answer.answered = line.time("answered_us");
    if (answer.answered < answer.called || answer.called < latest_) {
        line.fail("its time goes back, where a monotonic clock does not");
    }
    latest_ = answer.answered;
    waiting_.erase(asked);
    if (line.has("error")) {
        answer.error = printable(line.text("error"));
        if (answer.error.empty()) line.fail("'error' is empty; right would be what went wrong");
        answer.definite = line.flag("definite");
    } else {
        read_result(line, answer);
    }
    line.done("an answer to " + std::string(kDriverOps[static_cast<std::size_t>(answer.op)]));
    return answer;
}

void DriverLines::read_result(JsonLine& line, DriverAnswer& answer) {
    const auto read_valid = [&] {
        if (!line.has("valid_ms") || line.at("valid_ms").is_null()) return;
        answer.valid = valid_of(line);
    };
    switch (answer.op) {
        case DriverOp::hello: answer.traits = read_traits(line); return;
        case DriverOp::acquire:
            answer.yes = line.flag("granted");
            if (line.has("token")) answer.token = line.text("token");
            if (line.has("fence")) {
                answer.fence = line.whole("fence");
                if (answer.fence == 0U) {
                    line.fail(
                        "'fence' is 0, as where there is none; right would be a fencing token "
                        "above 0, or to leave it out");
                }
            }
            return read_valid();
        case DriverOp::step:
            answer.yes = line.flag("ok");
            answer.lost = line.flag("lost");
            return read_valid();
        case DriverOp::extend: answer.yes = line.flag("extended"); return read_valid();
        case DriverOp::release:
            if (!line.at("released").is_null()) answer.yes = line.flag("released");
            return;
        case DriverOp::open:
        case DriverOp::close:
        case DriverOp::exit: return;
    }
}

DriverTraits DriverLines::read_traits(JsonLine& line) {
    DriverTraits traits;
    traits.library = printable(line.text("library"));
    traits.version = printable(line.text("version"));
    traits.many_nodes = line.word("nodes", kNodes) == 1;
    traits.waits = line.flag("waits");
    traits.renews = line.flag("renews");
    traits.extends = line.flag("extends");
    traits.tells = line.flag("tells");
    traits.fences = line.flag("fences");
    return traits;
}

}  // namespace locklab
