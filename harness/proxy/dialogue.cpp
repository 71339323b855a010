#include "harness/proxy/dialogue.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace locklab {

namespace {

/// A subscription command, its confirmation, and the kind of its channels.
struct Subscription {
    std::string_view command;
    std::string_view confirmation;
    char kind;
    bool ends;
};
constexpr std::array<Subscription, 6> kSubscriptions{{
    {"SUBSCRIBE", "subscribe", 's', false},
    {"UNSUBSCRIBE", "unsubscribe", 's', true},
    {"PSUBSCRIBE", "psubscribe", 'p', false},
    {"PUNSUBSCRIBE", "punsubscribe", 'p', true},
    {"SSUBSCRIBE", "ssubscribe", 'S', false},
    {"SUNSUBSCRIBE", "sunsubscribe", 'S', true},
}};
constexpr std::array<std::string_view, 3> kStreams{"MONITOR", "SYNC", "PSYNC"};
constexpr std::array<std::string_view, 3> kMessages{"message", "pmessage", "smessage"};

}  // namespace

Dialogue::Asked Dialogue::shape_of(const FrameWords& words) {
    Asked asked;
    if (words.is(0, "HELLO")) asked.shape = Shape::hello;
    if (words.is(0, "RESET")) asked.shape = Shape::reset;
    for (const std::string_view stream : kStreams) {
        if (words.is(0, stream)) asked.shape = Shape::stream;
    }
    for (const Subscription& row : kSubscriptions) {
        if (!words.is(0, row.command)) continue;
        asked.shape = Shape::confirmed;
        asked.kind = row.kind;
        // Without a channel, SUBSCRIBE is an error.
        asked.awaits = words.count() > 1 ? words.count() - 1 : row.ends ? 0 : 1;
    }
    return asked;
}

Dialogue::Asked* Dialogue::ask(const FrameWords& words) {
    if (words.count() == 0) return nullptr;
    ++asked_;
    follow_transaction(words);
    if (is_silent(words)) return nullptr;
    waiting_.push_back(shape_of(words));
    waiting_.back().number = asked_;
    return &waiting_.back();
}

Dialogue::Asked* Dialogue::refuse(const FrameWords& words) {
    ++asked_;
    spoilt_ = in_transaction_;
    if (is_silent(words)) return nullptr;
    waiting_.emplace_back();
    waiting_.back().number = asked_;
    return &waiting_.back();
}

Dialogue::Asked& Dialogue::ask_again() {
    const Asked same = waiting_.back();
    waiting_.push_back(same);
    return waiting_.back();
}

void Dialogue::follow_transaction(const FrameWords& words) {
    if (words.is(0, "MULTI")) {
        in_transaction_ = true;
    } else if (words.is(0, "EXEC") || words.is(0, "DISCARD") || words.is(0, "RESET")) {
        in_transaction_ = spoilt_ = false;
    }
}

bool Dialogue::is_silent(const FrameWords& words) {
    if (words.is(0, "CLIENT") && words.is(1, "REPLY")) {
        if (words.is(2, "ON")) replies_off_ = skips_next_ = false;
        if (words.is(2, "OFF")) replies_off_ = true;
        if (words.is(2, "SKIP") && !replies_off_) {
            skips_next_ = true;
            return true;
        }
        return replies_off_;
    }
    const bool skipped = skips_next_;
    skips_next_ = false;
    return replies_off_ || skipped;
}

Dialogue::Confirmation Dialogue::confirmation_of(std::string_view frame, char type) {
    Confirmation confirmation;
    if (type != '*' && type != '>') return confirmation;
    const FrameWords words(frame);
    for (const Subscription& row : kSubscriptions) {
        if (words.count() != 3 || words[0] != row.confirmation) continue;
        confirmation.is = true;
        confirmation.kind = row.kind;
        // The channel is null if there was none; then none of its kind is left.
        const std::string_view digits = words[2];
        std::from_chars(digits.data(), digits.data() + digits.size(), confirmation.count);
    }
    return confirmation;
}

std::size_t& Dialogue::subscribed(char kind) {
    return kind == 's' ? channels_ : kind == 'p' ? patterns_ : shards_;
}

/// The server counts channels and patterns together.
void Dialogue::note(const Confirmation& confirmation) {
    const std::size_t others = confirmation.kind == 's'   ? patterns_
                               : confirmation.kind == 'p' ? channels_
                                                          : 0;
    subscribed(confirmation.kind) = confirmation.count - std::min(others, confirmation.count);
}

bool Dialogue::is_unasked(std::string_view frame, char type) const {
    if (waiting_.empty()) return true;
    const auto confirms = [&] { return confirmation_of(frame, type).is; };
    if (type == '>') return !(awaits_confirmation() && confirms());
    const bool listens = !resp3_ && channels_ + patterns_ + shards_ > 0;
    if (type != '*' || !listens) return false;
    const std::string_view word = FrameWords(frame)[0];
    const bool is_message = std::find(kMessages.begin(), kMessages.end(), word) != kMessages.end();
    return is_message || (!awaits_confirmation() && confirms());
}

bool Dialogue::take(std::string_view frame, char type) {
    const bool is_answer = !is_unasked(frame, type);
    // An array that answers a plain command is not examined.
    const bool may_confirm = !is_answer || type == '>' || awaits_confirmation();
    const Confirmation confirmation = may_confirm ? confirmation_of(frame, type) : Confirmation{};
    if (is_answer && confirmation.is && awaits_confirmation()) {
        Asked& asked = waiting_.front();
        if (asked.awaits == 0) asked.awaits = std::max<std::size_t>(1, subscribed(asked.kind));
        note(confirmation);
        return --asked.awaits == 0;
    }
    if (confirmation.is && (!is_answer || type == '>')) note(confirmation);
    if (!is_answer) return false;
    const Shape shape = waiting_.front().shape;
    if (shape == Shape::hello && (type == '%' || type == '*')) resp3_ = type == '%';
    if (shape == Shape::reset && type == '+') {
        resp3_ = replies_off_ = skips_next_ = false;
        channels_ = patterns_ = shards_ = 0;
    }
    return true;
}

}  // namespace locklab
