// Matches answers to commands on one connection to Redis: answers come in the order of the
// commands, but some commands have none, some have several, and messages come unasked.
//
// 1. Commands that still await an answer are kept in the order in which they were sent.
// 2. A frame of the server answers the first of them, or none.
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
        hello,      ///< one answer, which names the protocol version
        reset,      ///< one answer, after which the connection is like a new one
        confirmed,  ///< one answer for each channel; in RESP3 they are pushes
        stream,     ///< no more frames: both sides send what they like (MONITOR, SYNC, PSYNC)
    };
    struct Asked {
        std::uint64_t number = 0;  ///< of the command on its connection, from 1
        Shape shape = Shape::plain;
        std::size_t awaits = 1;  ///< answers; 0: one for each channel of its kind at that time
        char kind = 0;           ///< kind of channels: s(ubscribe), p(subscribe) or S(subscribe)
        Treatment treatment = Treatment::pass;
        const FaultRule* rule = nullptr;
        std::string error;  ///< error that the client gets instead of the answer
    };

    /// The next command. Null if it has no answer: an empty one, and those whose answers the client
    /// has switched off (CLIENT REPLY OFF).
    Asked* ask(const FrameWords& words);
    /// The next command, which the server does not get: it spoils a transaction, and changes
    /// nothing else. Null as above.
    Asked* refuse(const FrameWords& words);
    /// The last command is sent once more.
    Asked& ask_again();
    /// Number of commands so far.
    std::uint64_t asked() const { return asked_; }

    bool empty() const { return waiting_.empty(); }
    std::size_t waiting() const { return waiting_.size(); }
    Asked& front() { return waiting_.front(); }
    void pop() { waiting_.pop_front(); }

    /// Whether this frame of the server answers no command. `type` is the frame's.
    bool is_unasked(std::string_view frame, char type) const;
    /// Takes a frame. True: the first command has all its answers now. Pops nothing.
    bool take(std::string_view frame, char type);

    /// Between MULTI and EXEC.
    bool in_transaction() const { return in_transaction_; }
    /// A command of the transaction was refused: EXEC will fail.
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
