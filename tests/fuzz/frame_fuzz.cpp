// Any bytes as what a client or a server says to the other through the fault proxy: frames, or
// nonsense; the same frames in whatever pieces they come, and each answers a command or nobody.
// The first byte says who speaks, and the second in pieces of which size.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/assert.h"
#include "harness/proxy/dialogue.h"
#include "harness/proxy/frame_buffer.h"
#include "harness/proxy/link_fault.h"

using namespace locklab;

namespace {

struct Heard {
    std::vector<std::string> frames;
    std::string types;
    bool nonsense = false;

    bool operator==(const Heard&) const = default;
};

Heard frames_of(std::string_view bytes, std::size_t piece, RespScanner::Speaker speaker) {
    FrameBuffer buffer(speaker);
    Heard heard;
    for (std::size_t at = 0; at < bytes.size() && !heard.nonsense; at += piece) {
        buffer.append(bytes.substr(at, piece));
        while (const std::optional<std::string_view> frame = buffer.front()) {
            heard.frames.emplace_back(*frame);
            heard.types += buffer.type();
            buffer.pop();
        }
        heard.nonsense = buffer.is_nonsense();
    }
    return heard;
}

FaultRule rule_of_script() {
    FaultRule rule;
    rule.digest = std::string(40, 'a');
    return rule;
}

/// A client's frames are commands; a server's answer some that have a shape of their own.
void converse(const Heard& heard, bool from_client) {
    RuleBook rules({rule_of_script()});
    Dialogue dialogue;
    for (const std::string& frame : heard.frames) {
        const FrameWords words(frame);
        LOCKLAB_ASSERT(words[FrameWords::kKept].empty());
        static_cast<void>(rules.strikes({}, words));
        if (from_client) dialogue.ask(words);
    }
    if (!from_client) {
        for (const char* command : {"HELLO 3", "SUBSCRIBE a b", "UNSUBSCRIBE", "PING", "RESET"}) {
            dialogue.ask(FrameWords(command));
        }
    }
    for (std::size_t i = 0; i < heard.frames.size() && !from_client; ++i) {
        const bool unasked = dialogue.is_unasked(heard.frames[i], heard.types[i]);
        const bool complete = dialogue.take(heard.frames[i], heard.types[i]);
        LOCKLAB_ASSERT(!(unasked && complete));
        if (complete) dialogue.pop();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const bool from_client = data[0] % 2 == 0;
    const auto speaker = from_client ? RespScanner::Speaker::client : RespScanner::Speaker::server;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    const Heard heard = frames_of(bytes, 1 + data[1], speaker);
    LOCKLAB_ASSERT(heard == frames_of(bytes, bytes.size() + 1, speaker));
    converse(heard, from_client);
    return 0;
}
