// The commands of driver processes, for their history, by the frames at their proxy: when each
// came, when it ran and what it did to the lock's key, and when its client was told. Who watches
// the proxy (a log, a stage, a play) says what happens to frames; what that means stands here
// alone.
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
        std::string asked;  ///< what drivers were told to call the lock
        /// What the lock calls its keys: first its own, on which a grant rests.
        std::vector<std::string> keys;
        bool renews = false;
        /// What a command did to the key is seen, and told by went(). Else its answer alone tells
        /// that it ran, and its effect is left untold.
        bool sees_effects = false;
        /// Scripts are told as their texts, where these were seen; null: as they came. It must
        /// outlive the history.
        ScriptTexts* scripts = nullptr;
    };
    /// Of a command: its connection, and its number there.
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
        bool is_whole = true;  ///< nothing of it was cut off
        Instant at;
        Phase phase = Phase::idle;  ///< of its client, by then
        bool is_asked = false;      ///< it is asked for what sends commands
    };

    explicit CommandTeller(Terms terms) : terms_(std::move(terms)) {}

    /// A command came to the proxy.
    void came(const Came& came);
    /// It goes on from there, so that it is told; by its coming where no other instant is said.
    void sent(const Name& name, std::optional<Instant> at = {});
    /// The server has it, and it did this to the lock's keys, one by one.
    void went(const Name& name, Instant at, std::span<const KeyEffect> effects);
    /// The server has answered: it ran, then if nobody saw when.
    void answered(const Name& name, Instant at, const Reply& reply);
    /// Its client has the answer, or gives up on it (Unknown).
    void told(const Name& name, Instant at, const Reply& reply);
    /// A fault of a link struck at `node`; a command, if it has a name that is known.
    void struck(const Name& name, Instant at, ClientId client, NodeId node, Hazard hazard);
    /// It comes again, as the next command of its connection.
    void comes_again(const Name& name);
    /// The one that came later does what the first was to do: it has its number in the history.
    void takes_its_place(const Name& first, const Name& later);
    /// It is the client's watchdog's, and so are others of its kind.
    void give_to_watchdog(const Name& name);
    /// What this client was asked is over: it has given up on what is not answered. But a grant
    /// does not rest on what has not gone on, which is its watchdog's if it has one.
    void is_over(ClientId client, bool grants);

    /// It can be told: it is no part of a transaction, and not what begins one.
    bool knows(const Name& name) const { return frames_.contains(name); }
    /// A client that gave up on it is told nothing; nor is anybody of what has not gone on.
    bool awaits_answer(const Name& name) const;
    bool is_answered(const Name& name) const { return frames_.at(name).reply.has_value(); }
    bool is_watchdogs(const Name& name) const;
    /// In the history; of a transaction its first; 0: it is about no key.
    std::uint64_t call_of(const Name& name) const;

    /// Once, when all has come and been told: all of a kind that ever came unasked is a watchdog's.
    void learn_kinds();
    /// What has not gone on was sent all the same; what did something and was not answered ran.
    void end();
    /// Once, after that.
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
        std::uint64_t call = 0;  ///< 0: it is about no key
        bool is_asked = false;
        bool is_sent = false;
        bool asks_nothing = false;
    };
    /// What came under one name: a command, or a transaction.
    struct Frame {
        /// Nothing: it is about no key, and never will be.
        std::vector<std::optional<std::size_t>> commands;
        bool is_transaction = false;
        std::optional<std::size_t> exec{};  ///< the command that ends the transaction
        std::optional<Instant> went{};
        std::vector<KeyEffect> effects{};  ///< on each of the lock's keys
        std::optional<Reply> reply{};
        bool is_over = false;       ///< that it ran is noted
        bool tells_nobody = false;  ///< its client is told by what came again, or has given up
    };
    struct Noted {
        Instant at;
        ClientId client;
        std::optional<std::size_t> known;
        EventDetail detail;
    };

    std::size_t add(const Came& came, GatedCommand gated, bool is_about_key);
    Command command_of(const GatedCommand& gated, bool is_whole) const;
    Renewals& renewals_of(ClientId client);
    Frame* frame_of(const Name& name);
    const Frame* frame_of(const Name& name) const;
    bool is_about_key(std::optional<std::size_t> command) const {
        return command && known_[*command].call != 0;
    }
    /// Of a transaction the part of the answer that is its own.
    static const Reply* reply_to(const Frame& frame, const Reply& whole, std::size_t i);
    /// Of a transaction only one did what was seen.
    std::optional<std::size_t> doer(const Frame& frame) const;
    void send(Frame& frame, std::optional<Instant> at);
    void note_ran(Frame& frame, Instant at);
    /// What was seen is said of this one, which did it.
    void note_effects(event::Executed& ran, const Frame& frame) const;
    static bool did_any(const Frame& frame);
    bool has_key(const Known& known) const;

    const Terms terms_;
    std::vector<Known> known_;
    std::map<Name, Frame> frames_;
    /// Of connections between MULTI and what ends that.
    std::map<std::uint32_t, std::vector<std::optional<std::size_t>>> queues_;
    std::map<std::uint32_t, Renewals> renewals_;  ///< by client
    std::vector<Noted> noted_;
    std::set<std::size_t> doers_;  ///< commands that changed the key
    std::uint64_t calls_ = 0;
};

}  // namespace locklab
