// What happened in a run, in order: the only thing that checkers see. The same events are
// written by both worlds, and may be written by others (see harness/record/README.md).
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
#include "harness/core/fault_budget.h"
#include "harness/core/hazard.h"
#include "harness/core/names.h"
#include "harness/core/reply.h"
#include "harness/core/sharing.h"
#include "harness/core/time.h"

namespace locklab {

/// Where in its round a client is. A background task is in `background`, always.
enum class Phase : std::uint8_t { idle, acquire, inside, release, background };

/// error: the server answered with one, so nothing is known but that.
enum class Release : std::uint8_t { yes, not_ours, unknown, error };

namespace event {

/// The client wants the lock and begins to try. Its wait is counted from here.
struct Wants {
    /// It is inside, and takes the lock a second time before it gives it back.
    bool again = false;
};
/// One try ended without a grant: refused, or (unsure) without an answer.
struct Refused {
    bool unsure = false;
};
/// A command left the client. `call` joins it to what becomes of it.
struct Sent {
    std::uint64_t call = 0;
    NodeId node;
    Command command;
    /// It was sent by a background task that its client began so many rounds ago, and that goes on.
    std::uint32_t rounds_ago = 0;
};
/// What a command did to a key that is not the lock's.
struct OtherKey {
    std::string key;
    KeyEffect effect;
    bool operator==(const OtherKey&) const = default;
};
/// A server ran the command. In sim the event's time is that of the execution. Live cannot
/// see that: the event stands where the reply came, and the execution lies in [sent, at].
struct Executed {
    /// Nobody saw what it did to the lock's key...
    Executed(std::uint64_t its_call, NodeId on, Instant sent_at, Command ran, Reply answer)
        : Executed(its_call, on, sent_at, std::move(ran), std::move(answer),
                   KeyEffect{.source = KeyEffect::Source::untold}) {}
    /// ...or the world did, or whoever wrote the history.
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
    std::vector<OtherKey> others{};  ///< in the order of their names, as far as anybody saw them
};
/// The client was told: the reply, or Unknown.
struct Replied {
    std::uint64_t call = 0;
    Reply reply;
};
/// The client is inside from here on. `grant` counts all grants of the run: 1, 2, ...
/// `lease` is for how long the lock promises it, from the execution of the command that took
/// it; zero: until released.
/// `fence` is the fencing token that the job will show to its resource; zero: there is none.
/// `mode` is how its client wanted the lock. `left` is what its lock says is left of its lease as
/// it is granted, perhaps less than nothing; nothing where it does not say.
struct Granted {
    std::uint64_t grant = 0;
    Token token;
    Duration lease{0};
    std::uint64_t fence = 0;
    Mode mode = Mode::alone;
    std::optional<Duration> left{};
};
/// The lock told its holder that it is lost: no longer inside.
struct Lost {};
/// The client calls release: no longer inside.
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
/// A fault struck this client, or (restart, evict, server clock) the server. A failover begins:
/// from here on `node` has the data that its master has now, and nothing that comes after.
struct Fault {
    Hazard hazard = kNoFault;
    Duration amount{0};
    std::uint64_t call = 0;  ///< the command it struck, or 0
    NodeId node{};           ///< the server it struck, or that takes over, if it did
    bool by_itself = false;  ///< of a crash: nobody struck, the process ended by itself
    std::string key{};       ///< of an eviction: which key went; empty: the lock's own
};
/// The client has done all it had to do. A crash is a Fault, not this.
struct Finished {};
/// The client has learnt who is master now: what it sends from here on goes there.
struct Learnt {
    NodeId master;
};
/// One try ended with an error of the server, in its words: neither a refusal nor a grant.
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
    std::string world;      ///< "sim", "live", or whatever a foreign history says
    std::string algorithm;  ///< empty if unknown
    std::uint32_t clients = 0;
    /// So many clients in a row are tasks of one process, and share a lock object.
    std::uint32_t tasks = 1;
    std::uint64_t seed = 0;
    std::uint64_t run = 0;
    std::string key;  ///< name of the lock's key; empty if unknown
    /// What Redis' clock showed when the run began; zero if unknown.
    WallTime began{};
    /// With no grant for this long, a client that wants a free lock is stuck. Zero: not judged.
    Duration patience{0};
    /// What a deadline that clients write into the key is counted in; zero if unknown.
    Duration clock_unit{0};
    /// A lock that renews promises to tell its holder of a loss within this: the time between two
    /// renewals, and the time-out of one. Zero: it promises nothing.
    Duration tells_within{0};
    /// A call for the lock promises to end within this, granted or not: the wait that it was given,
    /// and the time-out of a command. Zero: it promises nothing.
    Duration answers_within{0};
    /// Of those who share the lock, how many may be inside at once.
    Permits permits = 1;
    /// How many locks each client takes, one inside the other.
    std::uint32_t resources = 1;
    /// Sim: the first that the lock wants of Redis and the model of it does not know ("LPUSH").
    /// What came after shows nothing. Empty: there was none.
    std::string not_modelled;
    /// Sim: a client that does something else when it is run again alone, with the same replies
    /// (see Tape). Then the run shows nothing. Empty: nobody does, or nobody looked.
    std::optional<ClientId> differs_alone;
    /// How the lock ended its run, as half a sentence ("threw an exception: no such key"): then
    /// the run shows nothing. Empty: it did not.
    std::string threw;
    /// What was drawn for this run, where it is one of a swarm.
    std::optional<Draw> draw;
    UnequalClients unequal;  ///< clients that were given other options than the rest
    /// In another world than sim: each command was let through alone, so that executions stand in
    /// the order in which they ran.
    bool in_order = false;
    /// Its processes and servers had clocks of the harness, which move only when all of them wait.
    bool virtual_time = false;
    /// What the run was given, as record/trace_json.h writes it; empty if unknown. With it can be
    /// asked whether the rules allow what its clients did.
    std::string given;

    /// Whether a world of ours wrote it.
    bool is_ours() const { return world == "sim" || world == "live" || world == "driver"; }
    /// Whether no execution may have run before one that stands above it.
    bool orders_executions() const { return world == "sim" || in_order; }
    /// Whether no machine that is late, and no clock of its own, changes what happened when.
    bool has_exact_clocks() const { return world == "sim" || virtual_time; }
    /// In our own worlds one process writes all events as they happen. In another's, lines of one
    /// and the same instant may stand in any order.
    bool orders_instants() const { return world == "sim" || world == "live"; }
};

/// One run. Events are in the order in which they happened; times never decrease.
struct History : HistoryHead {
    std::vector<Event> events;
    /// When the run was stopped. Somebody who still wanted the lock then had waited until then.
    Instant end;
    /// Keeps alive the scripts that commands read from a file point to; null otherwise.
    std::shared_ptr<const void> scripts;
};

std::string_view name_of(Phase phase);
/// "lock 2": in words locks are counted from 1, as servers are.
std::string name_of(ResourceId lock);
std::string_view name_of(Release outcome);

}  // namespace locklab
