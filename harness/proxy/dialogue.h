// Which answer belongs to which command on one connection to Redis: answers come in the order of
// the commands, but some commands have none, some have several, and messages come unasked.
//
// 1. The commands that still await an answer stand in the order in which they were sent.
// 2. What the server says answers the first of them, or nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "harness/proxy/frame_words.h"
#include "harness/proxy/link_fault.h"

namespace locklab {

class Dialogue {
public:
    enum class Shape : std::uint8_t {
        plain,      ///< one answer
        hello,      ///< one, which says the version of the protocol
        reset,      ///< one, after which the connection is as a new one
        confirmed,  ///< one for each channel, which in RESP3 are pushes
        stream,     ///< from here on both sides say what they like (MONITOR, SYNC, PSYNC)
    };
    struct Asked {
        std::uint64_t number = 0;  ///< of the command on its connection, from 1
        Shape shape = Shape::plain;
        std::size_t awaits = 1;  ///< answers; 0: one for each channel of its kind, as they are then
        char kind = 0;           ///< of channels: s(ubscribe), p(subscribe) or S(subscribe)
        Treatment treatment = Treatment::pass;
        const FaultRule* rule = nullptr;
        std::string error;  ///< that the client is told instead, or in its turn
    };

    /// The next command. Null if it has no answer: an empty one, and those for which the client has
    /// said so (CLIENT REPLY OFF).
    Asked* ask(const FrameWords& words);
    /// The next command, which the server will not see: it spoils a transaction, and changes
    /// nothing else. Null as above.
    Asked* refuse(const FrameWords& words);
    /// The one that was asked last is asked once more.
    Asked& ask_again();
    /// How many commands there were.
    std::uint64_t asked() const { return asked_; }

    bool empty() const { return waiting_.empty(); }
    std::size_t waiting() const { return waiting_.size(); }
    Asked& front() { return waiting_.front(); }
    void pop() { waiting_.pop_front(); }

    /// Whether this frame of the server answers nobody. `type` is the frame's.
    bool is_unasked(std::string_view frame, char type) const;
    /// Takes a frame: whether the first command has all its answers now. Nothing is popped.
    bool take(std::string_view frame, char type);

    /// Between MULTI and EXEC.
    bool in_transaction() const { return in_transaction_; }
    /// A command of the transaction was refused: it cannot be executed any more.
    bool is_spoilt() const { return spoilt_; }

private:
    struct Confirmation {
        bool is = false;
        char kind = 0;
        std::size_t count = 0;
    };
    static Confirmation confirmation_of(std::string_view frame, char type);
    std::size_t& subscribed(char kind);
    void note(const Confirmation& confirmation);
    bool is_silent(const FrameWords& words);
    void follow_transaction(const FrameWords& words);
    static Asked shape_of(const FrameWords& words);
    bool awaits_confirmation() const {
        return !waiting_.empty() && waiting_.front().shape == Shape::confirmed;
    }

    std::deque<Asked> waiting_;
    std::uint64_t asked_ = 0;
    bool resp3_ = false;
    bool replies_off_ = false;
    bool skips_next_ = false;
    bool in_transaction_ = false;
    bool spoilt_ = false;
    std::size_t channels_ = 0;
    std::size_t patterns_ = 0;
    std::size_t shards_ = 0;
};

}  // namespace locklab
