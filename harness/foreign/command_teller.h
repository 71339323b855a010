// Makes history events from the commands of driver processes, by their frames at the proxy: when
// each command came, when it ran and what it did to the lock's key, and when its client was told.
// The owner of the proxy (a log, a stage, a play) reports what happens to frames; this file alone
// decides what that means.
//
// 1. A command is about the lock's key if it has the name that the lock was given in one of its
//    words, if it takes all keys, or if it changed the key. A channel of that name is no key.
// 2. A digest that the server does not know asks nothing: such a command is not told.
// 3. Commands of a transaction run as EXEC does, and each has its own answer.
// 4. What comes again, since it was struck, is the same command.
// 5. Nothing is told unless some command has for a key what the lock calls it: where the key has
//    another name nobody knows what a command did to it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/history.h"
#include "harness/foreign/gated_command.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/script_texts.h"

namespace locklab {

class CommandTeller {
public:
    struct Terms {
        std::string asked;  ///< the lock's name, as drivers were told it
        /// The names of the lock's keys: first its own, on which a grant rests.
        std::vector<std::string> keys;
        bool renews = false;
        /// True: the effect of a command on the key is seen, and reported by went(). False: only
        /// its answer shows that it ran, and its effect is not told.
        bool sees_effects = false;
        /// Scripts are told as their texts, where these were seen; null: as they came. Must outlive
        /// the history.
        ScriptTexts* scripts = nullptr;
    };
    /// Identifies a command: its connection, and its number there.
    struct Name {
        std::uint32_t connection = 0;
        std::uint64_t number = 0;
        auto operator<=>(const Name&) const = default;
    };
    struct Came {
        Name name;
        ClientId client;
        NodeId node;
        std::string_view frame;
        bool is_whole = true;  ///< nothing of the frame was cut off
        Instant at;
        Phase phase = Phase::idle;  ///< of its client, when the command came
        bool is_asked = false;      ///< its client was asked for an operation that sends commands
    };

    explicit CommandTeller(Terms terms) : terms_(std::move(terms)) {}

    /// A command came to the proxy.
    void came(const Came& came);
    /// The command goes on to its server, so it will be told; without `at`, as sent when it came.
    void sent(const Name& name, std::optional<Instant> at = {});
    /// The server has the command, and it had these effects, one for each of the lock's keys.
    void went(const Name& name, Instant at, std::span<const KeyEffect> effects);
    /// The server has answered. If nobody saw when the command ran, it ran then.
    void answered(const Name& name, Instant at, const Reply& reply);
    /// Its client has the answer, or gives up on it (Unknown).
    void told(const Name& name, Instant at, const Reply& reply);
    /// A fault of a link struck; it struck the command `name`, if that is known.
    void struck(const Name& name, Instant at, ClientId client, event::Fault fault);
    /// The command comes again, as the next command of its connection.
    void comes_again(const Name& name);
    /// `later` does what `first` was to do: it takes its number in the history.
    void takes_its_place(const Name& first, const Name& later);
    /// The command is of the client's watchdog, and so are others of its kind.
    void give_to_watchdog(const Name& name);
    /// The client's operation is over: it has given up on commands without an answer. If a lock
    /// that has a watchdog was granted, commands that have not gone on are the watchdog's, since
    /// the grant does not rest on them.
    void is_over(ClientId client, bool grants);

    /// True if the command can be told by itself: it is no part of a transaction, and not MULTI.
    bool knows(const Name& name) const { return frames_.contains(name); }
    /// True if its client will be told the answer: the command was sent, and its client has not
    /// given up.
    bool awaits_answer(const Name& name) const;
    bool is_answered(const Name& name) const { return frames_.at(name).reply.has_value(); }
    bool is_watchdogs(const Name& name) const;
    /// Its number in the history; of a transaction that of the first command; 0: it is not about
    /// the key.
    std::uint64_t call_of(const Name& name) const;

    /// Call once, after the last event: all commands of a kind that ever came unasked are a
    /// watchdog's.
    void learn_kinds();
    /// Ends the run: commands held at the gate count as sent; one that had an effect and no answer
    /// ran.
    void end();
    /// Adds the events to the story. Call once, after end().
    void tell(RunStory& story) const;

private:
    struct Known {
        ClientId client;
        NodeId node;
        std::string signature;
        Command command;
        Phase phase = Phase::background;
        Phase client_phase = Phase::background;
        Instant came;
        std::uint64_t call = 0;  ///< 0: it is not about the key
        bool is_asked = false;
        bool is_sent = false;
        bool asks_nothing = false;
    };
    /// What came under one name: a command, or a transaction.
    struct Frame {
        /// Empty entry: a command that is not about the key, and never will be.
        std::vector<std::optional<std::size_t>> commands;
        bool is_transaction = false;
        std::optional<std::size_t> exec{};  ///< the command that ends the transaction
        std::optional<Instant> went{};
        std::vector<KeyEffect> effects{};  ///< on each of the lock's keys
        std::optional<Reply> reply{};
        bool is_over = false;       ///< its execution is noted
        bool tells_nobody = false;  ///< its client has given up, or is told by the repeated command
    };
    struct Noted {
        Instant at;
        ClientId client;
        std::optional<std::size_t> known;
        EventDetail detail;
    };

    /// Whether it takes every key, by itself or in a script whose text has come.
    bool takes_all(std::string_view frame, const GatedCommand& gated);
    std::size_t add(const Came& came, GatedCommand gated, bool is_about_key);
    Command command_of(const GatedCommand& gated, bool is_whole) const;
    Renewals& renewals_of(ClientId client);
    Frame* frame_of(const Name& name);
    const Frame* frame_of(const Name& name) const;
    bool is_about_key(std::optional<std::size_t> command) const {
        return command && known_[*command].call != 0;
    }
    /// In a transaction, the part of the answer for command `i`.
    static const Reply* reply_to(const Frame& frame, const Reply& whole, std::size_t i);
    /// The command of a transaction that is taken to have had the observed effect: its last that
    /// writes.
    std::optional<std::size_t> doer(const Frame& frame) const;
    void send(Frame& frame, std::optional<Instant> at);
    void note_ran(Frame& frame, Instant at);
    /// Notes the observed effects in the execution of the command that had them.
    void note_effects(event::Executed& ran, const Frame& frame) const;
    static bool did_any(const Frame& frame);
    bool has_key(const Known& known) const;

    const Terms terms_;
    std::vector<Known> known_;
    std::map<Name, Frame> frames_;
    /// Open transactions by connection: the commands since MULTI.
    std::map<std::uint32_t, std::vector<std::optional<std::size_t>>> queues_;
    std::map<std::uint32_t, Renewals> renewals_;  ///< by client
    std::vector<Noted> noted_;
    std::set<std::string> scripts_that_take_all_;  ///< by digest
    std::set<std::size_t> doers_;                  ///< commands that changed the key
    std::uint64_t calls_ = 0;
};

}  // namespace locklab
