// One step of a search: an action of one client, the network, a server or time.
#pragma once

#include <cstdint>

namespace locklab {

struct Step {
    enum class Kind : std::uint8_t {
        send,          ///< a command is sent and executed
        lose_request,  ///< the command is sent, and lost
        lose_reply,    ///< the command is executed, and its reply is lost
        delay,         ///< the command is sent, and will arrive late
        delay_reply,   ///< the command is executed, and its reply will come late
        retry,         ///< the command is executed, its reply is lost, and it will be sent again
        take,          ///< a reply is taken
        wake,          ///< a timer fires
        expire,        ///< the client gives up on a reply
        arrive,        ///< a late request is executed
        pass,          ///< time passes
        crash,
        pause,
        stall,
        clock_ahead,
        clock_back,
        server_ahead,
        server_back,
        restart,
        back,  ///< a restarting server is up before its time
        evict,
        save,           ///< the server saves a snapshot of its data
        restore,        ///< the server restarts with that snapshot
        resume,         ///< a pause, or a stall of the background task, ends before its time
        leave,          ///< the client goes for good after its job, without a release
        failover,       ///< the replica gets nothing more from its master, and takes over
        learn,          ///< a client learns which server is master now
        freeze,         ///< a server hangs: what arrives there waits
        thaw,           ///< it goes on before its time, with its data
        error,          ///< the command is answered with LOADING, and not executed
        noscript,       ///< a digest is answered with NOSCRIPT, and not executed
        reset_request,  ///< the connection is reset before the command is executed
        reset_reply,    ///< the command is executed, and then the connection is reset
        cut_request,    ///< its link is cut before the command is executed
        cut_reply,      ///< the command is executed, and then its link is cut
        heal,           ///< a link that is cut works again before its time
        flush,          ///< all keys of a server are deleted
    };
    Kind kind = Kind::pass;
    std::uint8_t client = 0;
    std::uint8_t slot = 0;  ///< of a task at a server (see client_model.h); or which server
    bool slow = false;      ///< with `take`: the job that begins is the slow one
    /// Of `pass`: how long. Of `evict`: which key, by its place in keys_of().
    std::uint16_t ms = 0;

    bool operator==(const Step&) const = default;
};
static_assert(sizeof(Step) == 6);

}  // namespace locklab
