// What happened in a run, in order: the only thing that checkers see. All worlds write the same
// events, and others may write them too (see harness/record/README.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/client_options.h"
#include "harness/core/command.h"
#include "harness/core/error_kind.h"
#include "harness/core/fault_budget.h"
#include "harness/core/hazard.h"
#include "harness/core/names.h"
#include "harness/core/reply.h"
#include "harness/core/server_kind.h"
#include "harness/core/sharing.h"
#include "harness/core/time.h"

namespace locklab {

/// Where a client is in its round. A background task is always in `background`.
enum class Phase : std::uint8_t { idle, acquire, inside, release, background };

/// error: the server answered with one, so nothing else is known.
enum class Release : std::uint8_t { yes, not_ours, unknown, error };

namespace event {

/// The client wants the lock and begins to try. Its wait is counted from here.
struct Wants {
    /// The client is inside, and takes the lock a second time before it gives it back.
    bool again = false;
};
/// One try ended without a grant: refused, or (unsure) without an answer.
struct Refused {
    bool unsure = false;
};
/// A command left the client. `call` links it to its other events.
struct Sent {
    std::uint64_t call = 0;
    NodeId node;
    Command command;
    /// How many rounds ago the client began the background task that sent it; 0 for a worker.
    std::uint32_t rounds_ago = 0;
};
/// What a command did to a key other than the lock's.
struct OtherKey {
    std::string key;
    KeyEffect effect;
    bool operator==(const OtherKey&) const = default;
};
/// A server ran the command. In sim the event has the time of the execution. Live cannot see that:
/// the event has the time of the reply, and the execution lies in [sent, at].
struct Executed {
    /// For a writer that did not see the effect on the lock's key...
    Executed(std::uint64_t its_call, NodeId on, Instant sent_at, Command ran, Reply answer)
        : Executed(its_call, on, sent_at, std::move(ran), std::move(answer),
                   KeyEffect{.source = KeyEffect::Source::untold}) {}
    /// ...and for one that did.
    Executed(std::uint64_t its_call, NodeId on, Instant sent_at, Command ran, Reply answer,
             KeyEffect told)
        : call(its_call),
          node(on),
          sent(sent_at),
          command(std::move(ran)),
          reply(std::move(answer)),
          effect(told) {}

    std::uint64_t call;
    NodeId node;
    Instant sent;
    Command command;
    Reply reply;
    KeyEffect effect;
    std::vector<OtherKey> others{};  ///< in the order of their names, as far as they were seen
};
/// The client learnt the reply, or Unknown.
struct Replied {
    std::uint64_t call = 0;
    Reply reply;
};
/// The client is inside from here on. `grant` counts all grants of the run: 1, 2, ... `lease` is
/// how long the lock promises it, from the execution of the command that took it; zero: until
/// released. `fence` is the fencing token that the job will show to its resource; zero: none.
/// `mode` is how the client wanted the lock. `left` is what the lock says is left of its lease at
/// the grant, perhaps negative; empty: it does not say.
struct Granted {
    std::uint64_t grant = 0;
    Token token;
    Duration lease{0};
    std::uint64_t fence = 0;
    Mode mode = Mode::alone;
    std::optional<Duration> left{};
};
/// The lock told its holder that it is lost: the client is no longer inside.
struct Lost {};
/// The client calls release: it is no longer inside.
struct Leaving {};
struct Released {
    Release outcome = Release::yes;
};
/// The job read the register, and saw this version.
struct Read {
    std::uint64_t version = 0;
};
/// A write of the job landed: it was computed from version `base`, found version `previous`
/// in the register, and left version `version`. `grant` is the grant under which it was sent.
struct Wrote {
    std::uint64_t base = 0;
    std::uint64_t previous = 0;
    std::uint64_t version = 0;
    std::uint64_t grant = 0;
};
/// The resource refused a read or a write of the job: it showed the fencing token `fence`, and the
/// resource had seen `highest`, which is newer. `fence` is 0 where it refused for another reason:
/// it is in the lock's own Redis, whose key did not hold the job's token (RunShape::guards_writes).
struct Denied {
    std::uint64_t fence = 0;
    std::uint64_t highest = 0;
};
/// A fault struck this client, or (restart, evict, server clock) the server. For a failover, which
/// begins here: `node` has the data that its master has now, and nothing later.
struct Fault {
    Hazard hazard = kNoFault;
    Duration amount{0};
    std::uint64_t call = 0;            ///< the command it struck, or 0
    NodeId node{};                     ///< the server it struck, or that takes over, if it did
    bool by_itself = false;            ///< of a crash: nobody struck, the process ended by itself
    std::string key{};                 ///< of an eviction: which key went; empty: the lock's own
    std::optional<ErrorKind> error{};  ///< of an error reply: which
    bool ran = false;                  ///< of a reset: the command ran before
};
/// The client has finished its work. A crash is a Fault, not this.
struct Finished {};
/// The client has learnt which server is master now: it sends to that one from here on.
struct Learnt {
    NodeId master;
};
/// One try ended with an error of the server, whose text this is: neither a refusal nor a grant.
struct Failed {
    std::string error;
};

}  // namespace event

using EventDetail = std::variant<event::Wants, event::Refused, event::Sent, event::Executed,
                                 event::Replied, event::Granted, event::Lost, event::Leaving,
                                 event::Released, event::Read, event::Wrote, event::Fault,
                                 event::Finished, event::Failed, event::Denied, event::Learnt>;

struct Event {
    Instant at;
    ClientId client;
    Phase phase = Phase::idle;
    EventDetail detail;
    ResourceId resource{};  ///< which of a client's locks it is about
};

/// What is known of a run before its first event.
struct HistoryHead {
    std::string world;      ///< "sim", "live", or any other word in a foreign history
    std::string algorithm;  ///< empty if unknown
    std::uint32_t clients = 0;
    /// Tasks per process: this many clients in a row share a lock object.
    std::uint32_t tasks = 1;
    std::uint64_t seed = 0;
    std::uint64_t run = 0;
    std::string key;                        ///< name of the lock's key; empty if unknown
    ServerKind server = ServerKind::redis;  ///< whose commands the lock needs
    /// What Redis' clock showed when the run began; zero if unknown.
    WallTime began{};
    /// If no grant comes for this long, a client that wants a free lock is stuck. Zero: not judged.
    Duration patience{0};
    /// The unit of deadlines that clients write into the key; zero if unknown.
    Duration clock_unit{0};
    /// A lock that renews promises to tell its holder of a loss within this: the time between two
    /// renewals, plus the time-out of one. Zero: no promise.
    Duration tells_within{0};
    /// A call for the lock promises to end within this, granted or not: its wait limit, plus the
    /// time-out of a command. Zero: no promise.
    Duration answers_within{0};
    /// How many of the clients that share the lock may be inside at once.
    Permits permits = 1;
    /// How many locks each client takes, one inside the other.
    std::uint32_t resources = 1;
    /// Sim: the first thing that the lock asks of Redis and its model does not know ("LPUSH"). What
    /// comes after shows nothing. Empty: none.
    std::string not_modelled;
    /// Sim: a client that acts differently when it is run again alone, with the same replies (see
    /// Tape); then the run shows nothing. Empty: none does, or it was not checked.
    std::optional<ClientId> differs_alone;
    /// How the lock ended its run, as half a sentence ("threw an exception: no such key"); then the
    /// run shows nothing. Empty: it did not.
    std::string threw;
    /// What was drawn for this run, if it is one of a swarm.
    std::optional<Draw> draw;
    UnequalClients unequal;  ///< clients whose options differ from the rest
    /// In a world other than sim: commands were let through one at a time, so executions stand in
    /// the order in which they ran.
    bool in_order = false;
    /// Processes and servers used clocks of the harness, which move only when all of them wait.
    bool virtual_time = false;
    /// What the run was given, as record/trace_json.h writes it; empty if unknown. It allows to
    /// check whether the rules permit what the clients did.
    std::string given;

    /// Whether one of our worlds wrote the history.
    bool is_ours() const { return world == "sim" || world == "live" || world == "driver"; }
    /// Whether no execution may have run before one that stands above it.
    bool orders_executions() const { return world == "sim" || in_order; }
    /// Whether times are exact: not blurred by a slow machine or by separate clocks.
    bool has_exact_clocks() const { return world == "sim" || virtual_time; }
    /// In our own worlds one process writes all events as they happen. In a foreign history, lines
    /// of the same instant may stand in any order.
    bool orders_instants() const { return world == "sim" || world == "live"; }
};

/// One run. Events are in the order in which they happened; times never decrease.
struct History : HistoryHead {
    std::vector<Event> events;
    /// When the run was stopped. A client that still wanted the lock had waited until then.
    Instant end;
    /// Keeps alive the scripts of commands that were read from a file; null otherwise.
    std::shared_ptr<const void> scripts;
};

std::string_view name_of(Phase phase);
/// "lock 2": in texts locks are counted from 1, as servers are.
std::string name_of(ResourceId lock);
std::string_view name_of(Release outcome);

}  // namespace locklab
