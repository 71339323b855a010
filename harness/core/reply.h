// The result of a command: one of Redis's reply types, or Unknown, which is not a reply.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace locklab {

/// A Redis reply (RESP2, https://redis.io/docs/reference/protocol-spec), or Unknown: no reply
/// came, so the command may or may not have run. An Error is definite: the server refused.
class Reply {
public:
    enum class Kind : std::uint8_t { nil, status, integer, bulk, array, error, unknown };

    Reply() = default;
    static Reply nil() { return Reply(); }
    static Reply ok() { return Reply(Kind::status, "OK"); }
    static Reply status(std::string text) { return Reply(Kind::status, std::move(text)); }
    static Reply integer(std::int64_t value) {
        Reply reply;
        reply.kind_ = Kind::integer;
        reply.integer_ = value;
        return reply;
    }
    static Reply bulk(std::string text) { return Reply(Kind::bulk, std::move(text)); }
    /// `text` begins with Redis's error code: "WRONGTYPE Operation against ...".
    static Reply error(std::string text) { return Reply(Kind::error, std::move(text)); }
    static Reply array(std::vector<Reply> elements) {
        Reply reply;
        reply.kind_ = Kind::array;
        reply.elements_ = std::move(elements);
        return reply;
    }
    static Reply unknown() { return Reply(Kind::unknown, {}); }

    Kind kind() const { return kind_; }
    bool is_nil() const { return kind_ == Kind::nil; }
    bool is_ok() const { return kind_ == Kind::status && text_ == "OK"; }
    bool is_integer() const { return kind_ == Kind::integer; }
    bool is_integer(std::int64_t value) const { return is_integer() && integer_ == value; }
    bool is_bulk() const { return kind_ == Kind::bulk; }
    bool is_error() const { return kind_ == Kind::error; }
    bool is_unknown() const { return kind_ == Kind::unknown; }
    /// The reply does not answer the command: none came, or an error.
    bool failed() const { return is_unknown() || is_error(); }

    /// 0 unless the reply is an integer.
    std::int64_t as_integer() const { return integer_; }
    /// The text of a status, bulk or error; empty otherwise.
    const std::string& text() const { return text_; }
    const std::vector<Reply>& elements() const { return elements_; }

    bool operator==(const Reply&) const = default;

private:
    Reply(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}

    Kind kind_ = Kind::nil;
    std::int64_t integer_ = 0;
    std::string text_;
    std::vector<Reply> elements_;
};

/// As redis-cli would print it on one line: (nil), OK, (integer) 1, "text", (error) ..., [..].
std::string to_string(const Reply& reply);

}  // namespace locklab
