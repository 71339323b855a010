#include "harness/proxy/resp_scanner.h"

#include <algorithm>
#include <cstring>

#include "harness/core/limits.h"

namespace locklab {

namespace {

constexpr int kMostDigits = 18;
/// Digits of a length that are read at once. Longer ones are read one by one.
constexpr std::size_t kUsualDigits = 5;
/// Size of the shortest value: "_\r
/// ".
constexpr std::uint64_t kShortestValue = 3;
constexpr std::size_t kLongestInline = 65'536;
constexpr const char* kTooLong = "it is longer than 16 MB";

bool ends_line(std::string_view bytes, std::size_t at) {
    return bytes.size() - at >= 2 && bytes[at] == '\r' && bytes[at + 1] == '\n';
}

}  // namespace

RespScanner::Step RespScanner::scan(std::string_view bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        if (fresh_) begin();
        if (!step(bytes, at)) return {Found::nonsense, at};
        if (!complete_) continue;
        fresh_ = true;
        return {Found::frame, at};
    }
    return {Found::more, at};
}

void RespScanner::begin() {
    fresh_ = false;
    complete_ = false;
    is_inline_ = false;
    has_type_ = false;
    type_ = 0;
    left_ = 1;
    size_ = 0;
    expects_ = Expects::type;
}

bool RespScanner::fail(const char* complaint) {
    complaint_ = complaint;
    return false;
}

bool RespScanner::step(std::string_view bytes, std::size_t& at) {
    switch (expects_) {
        case Expects::line: return take_line(bytes, at);
        case Expects::text: return take_text(bytes, at);
        default: break;
    }
    const char byte = bytes[at++];
    if (++size_ > kMostFrame) return fail(kTooLong);
    switch (expects_) {
        case Expects::type: return take_type(byte) && take_whole(bytes, at);
        case Expects::number: return take_number(byte);
        case Expects::text_end:
            if (byte != '\r') return fail("a text is longer than it says");
            after_number_ = false;
            expects_ = Expects::line_feed;
            return true;
        default: break;
    }
    if (byte != '\n') return fail("a carriage return stands without its line feed");
    return after_number_ ? end_number() : end_value();
}

bool RespScanner::take_type(char type) {
    const bool from_client = speaker_ == Speaker::client;
    value_type_ = type;
    if (from_client && !has_type_ && type != '*') {
        is_inline_ = true;
        has_type_ = true;
        complete_ = type == '\n';
        expects_ = Expects::line;
        return true;
    }
    if (from_client && has_type_ && type != '$') return fail("a word of a command is no text");
    if (!has_type_ && left_ == 1 && type != '|') {
        has_type_ = true;
        type_ = type;
    }
    number_ = 0;
    digits_ = 0;
    negative_ = false;
    if (std::strchr("$*%~>|!=", type) != nullptr && type != '\0') {
        expects_ = Expects::number;
        return true;
    }
    if (std::strchr("+-:_#,(", type) == nullptr || type == '\0') {
        return fail("no type begins with this byte");
    }
    expects_ = Expects::line;
    return true;
}

/// Fast path: nearly every length, and the text after it, is there at once. Otherwise, or if it is
/// no number, bytes are read one by one.
bool RespScanner::take_whole(std::string_view bytes, std::size_t& at) {
    if (expects_ != Expects::number) return true;
    std::size_t end = at;
    const auto is_digit = [&] { return bytes[end] >= '0' && bytes[end] <= '9'; };
    while (end < bytes.size() && end - at < kUsualDigits && is_digit()) {
        number_ = number_ * 10 + (bytes[end++] - '0');
    }
    const bool is_length = end > at && ends_line(bytes, end) && size_ + (end - at) + 2 < kMostFrame;
    if (!is_length) {
        number_ = 0;
        return true;
    }
    size_ += end + 2 - at;
    at = end + 2;
    if (!end_number()) return false;
    if (expects_ != Expects::text || text_left_ >= bytes.size() - at) return true;
    end = at + text_left_;
    if (!ends_line(bytes, end) || size_ + text_left_ + 2 > kMostFrame) return true;
    size_ += text_left_ + 2;
    at = end + 2;
    return end_value();
}

bool RespScanner::take_number(char digit) {
    if (digit == '\r' && digits_ > 0) {
        after_number_ = true;
        expects_ = Expects::line_feed;
        return true;
    }
    if (digit == '-' && digits_ == 0 && !negative_) {
        negative_ = true;
        return true;
    }
    // Redis 7 has no streamed values, whose length is a question mark.
    if (digit < '0' || digit > '9' || ++digits_ > kMostDigits) {
        return fail("its length is no number");
    }
    number_ = number_ * 10 + (digit - '0');
    return true;
}

bool RespScanner::end_number() {
    const std::int64_t number = negative_ ? -number_ : number_;
    const bool is_text = value_type_ == '$' || value_type_ == '!' || value_type_ == '=';
    if (number >= 0) return is_text ? begin_text(number) : begin_aggregate(number);
    const bool outermost = type_ == '*' && value_type_ == '*';
    const bool may_be_null =
        speaker_ == Speaker::client ? outermost : value_type_ == '$' || value_type_ == '*';
    // Redis ignores a command with a negative number of words.
    const bool is_null = speaker_ == Speaker::client || number == -1;
    return may_be_null && is_null ? end_value() : fail("its length is negative");
}

bool RespScanner::begin_text(std::int64_t length) {
    if (static_cast<std::uint64_t>(length) + size_ > kMostFrame) return fail(kTooLong);
    text_left_ = static_cast<std::size_t>(length);
    expects_ = text_left_ == 0 ? Expects::text_end : Expects::text;
    return true;
}

bool RespScanner::begin_aggregate(std::int64_t count) {
    const auto values = static_cast<std::uint64_t>(count);
    const bool in_pairs = value_type_ == '%' || value_type_ == '|';
    if (values > kMostFrame / kShortestValue) return fail(kTooLong);
    left_ += in_pairs ? 2 * values : values;
    if (left_ > kMostFrame / kShortestValue) return fail(kTooLong);
    expects_ = Expects::type;
    // An attribute is no value: it precedes one.
    return value_type_ == '|' ? true : end_value();
}

bool RespScanner::end_value() {
    expects_ = Expects::type;
    complete_ = --left_ == 0;
    return true;
}

bool RespScanner::take_line(std::string_view bytes, std::size_t& at) {
    const std::string_view rest = bytes.substr(at);
    const char end = is_inline_ ? '\n' : '\r';
    const std::size_t found = rest.find(end);
    const std::size_t used = found == std::string_view::npos ? rest.size() : found + 1;
    at += used;
    size_ += used;
    if (is_inline_) {
        if (size_ > kLongestInline) return fail("its line is longer than 64 KB");
        complete_ = found != std::string_view::npos;
        return true;
    }
    if (size_ > kMostFrame) return fail(kTooLong);
    if (found == std::string_view::npos) return true;
    after_number_ = false;
    expects_ = Expects::line_feed;
    return true;
}

bool RespScanner::take_text(std::string_view bytes, std::size_t& at) {
    const std::size_t used = std::min(text_left_, bytes.size() - at);
    at += used;
    size_ += used;
    text_left_ -= used;
    if (text_left_ == 0) expects_ = Expects::text_end;
    return true;
}

}  // namespace locklab
