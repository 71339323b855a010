// Finds where a command or a reply ends, in RESP2 and RESP3, as the bytes come
// (https://redis.io/docs/latest/develop/reference/protocol-spec).
//
// It builds nothing: values that are still to come are a number, however deep they are nested, and
// of a text only its length counts. No byte is looked at twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace locklab {

class RespScanner {
public:
    enum class Speaker : std::uint8_t { client, server };
    enum class Found : std::uint8_t { more, frame, nonsense };

    explicit RespScanner(Speaker speaker) : speaker_(speaker) {}

    struct Step {
        Found found;
        std::size_t used;  ///< of the bytes; all of them unless a frame ends before
    };
    /// Reads on. After a frame the next call begins the next one; after nonsense there is none.
    Step scan(std::string_view bytes);

    /// Of the frame that was found: its type, which an attribute before it is not; 0 for an inline
    /// command.
    char type() const { return type_; }
    /// What the nonsense is, as the end of a sentence: "its length is no number".
    const char* complaint() const { return complaint_; }

private:
    enum class Expects : std::uint8_t { type, number, line, line_feed, text, text_end };

    void begin();
    /// These take bytes from `at` on, and say where they stopped. False: nonsense.
    bool step(std::string_view bytes, std::size_t& at);
    bool take_type(char type);
    bool take_whole(std::string_view bytes, std::size_t& at);
    bool take_number(char digit);
    bool take_line(std::string_view bytes, std::size_t& at);
    bool take_text(std::string_view bytes, std::size_t& at);
    bool end_number();
    bool begin_text(std::int64_t length);
    bool begin_aggregate(std::int64_t count);
    bool end_value();
    bool fail(const char* complaint);

    const Speaker speaker_;
    Expects expects_ = Expects::type;
    bool fresh_ = true;      ///< the next byte begins a frame
    bool complete_ = false;  ///< the last byte ended one
    bool is_inline_ = false;
    char type_ = 0;
    bool has_type_ = false;
    char value_type_ = 0;     ///< of the value that is being read
    std::uint64_t left_ = 1;  ///< values that are still to come
    std::size_t size_ = 0;    ///< of the frame, with all that was promised of its text
    std::size_t text_left_ = 0;
    std::int64_t number_ = 0;
    int digits_ = 0;
    bool negative_ = false;
    bool after_number_ = false;  ///< the line feed ends a number
    const char* complaint_ = "";
};

}  // namespace locklab
