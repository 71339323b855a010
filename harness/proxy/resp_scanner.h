// Finds the end of a command or a reply, in RESP2 and RESP3, as the bytes come
// (https://redis.io/docs/latest/develop/reference/protocol-spec).
//
// It builds nothing: values still to come are a number, however deep they are nested, and of a text
// only the length counts. It reads no byte twice.
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
        std::size_t used;  ///< bytes consumed; all of them unless a frame ends before
    };
    /// Reads on. After a frame the next call begins the next one; after malformed input there is
    /// none.
    Step scan(std::string_view bytes);

    /// Type of the frame that was found, not of an attribute before it; 0 for an inline command.
    char type() const { return type_; }
    /// The error in malformed input, as the end of a sentence: "its length is no number".
    const char* complaint() const { return complaint_; }

private:
    enum class Expects : std::uint8_t { type, number, line, line_feed, text, text_end };

    void begin();
    /// These consume bytes from `at` on, and move it. False: malformed.
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
    bool complete_ = false;  ///< the last byte ended a frame
    bool is_inline_ = false;
    char type_ = 0;
    bool has_type_ = false;
    char value_type_ = 0;     ///< of the current value
    std::uint64_t left_ = 1;  ///< values still to come
    std::size_t size_ = 0;    ///< of the frame, including the announced lengths of texts
    std::size_t text_left_ = 0;
    std::int64_t number_ = 0;
    int digits_ = 0;
    bool negative_ = false;
    bool after_number_ = false;  ///< the expected line feed ends a number
    const char* complaint_ = "";
};

}  // namespace locklab
