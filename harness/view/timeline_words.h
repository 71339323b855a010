// The words of a timeline: short names for long keys and tokens, and one sentence for each row.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/view/timeline.h"

namespace locklab {

/// Keys and tokens of a live run are long and random. Here they become `lock`, `t1`, `t2`, ..., in
/// the order in which they are first met.
class ShortWords {
public:
    std::string of(std::string_view text);
    std::string of(const Command& command) { return of(std::string_view(to_string(command))); }
    /// OK, 1, nil, "text", error WRONGTYPE ..., [1, nil].
    std::string of(const Reply& reply);

private:
    const std::string& token(std::string_view hex);

    std::map<std::string, std::string, std::less<>> tokens_;
};

/// "9 s", "1.25 s", "40 ms".
std::string spoken(Duration duration);

/// "10.250": seconds with three decimals.
std::string seconds_text(Instant at);

/// Whether a command reaches Redis visibly later than it was sent.
bool is_late(const TimelineRow& row);

/// The row in words, with its client's name.
std::string sentence(const Timeline& timeline, const TimelineRow& row);

/// What happens to a command in this row, without client and command: "→ OK, A is inside".
std::string aftermath(const Timeline& timeline, const TimelineRow& row);

/// "t1 of A, 9 s left"; "none" if there is no key.
std::string key_text(const Timeline& timeline, const TimelineRow& row);

/// At most `most` characters; an ellipsis marks what is cut off.
std::string shortened(std::string_view text, std::size_t most);

/// The number of characters, assuming that each takes one column.
std::size_t columns_of(std::string_view text);

/// Broken at spaces into lines of at most `most` characters; longer words are cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t most);

}  // namespace locklab
