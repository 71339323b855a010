// Records everything between one process and its host, in order, so that the process can be run
// again alone: with the same replies, clocks and draws, and without other clients. A lock is a
// function of what its client observes, so it must do the same again. If it does not, it keeps
// something outside of its object (a static variable, which in the simulator all clients share, and
// between processes none), or it uses chance or a clock that is not its client's.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "harness/core/process.h"

namespace locklab {

class Tape final : public Host, private Choices {
public:
    /// Stands between the process and `host`, which must outlive the tape.
    explicit Tape(Host& host) : host_(host) {}

    /// Records what the host is about to do to a client.
    void starts(ClientId client, const Workload& workload);
    void observes(ClientId client, TaskId task, std::uint32_t ticket, const Reply& reply,
                  NodeId from);
    void crashes(ClientId client);

    /// The first client that acts differently when the process, whose first client is `first`, is
    /// run again alone; or else one found earlier for the same lock. For what a lock keeps outside
    /// of its object stays there, and may make later runs look alike.
    std::optional<ClientId> differs_alone(ClientId first, const RunShape& shape,
                                          const Key& key) const;

    void act(ClientId client, TaskId task, Action& action) override;
    std::uint32_t servers() const override { return host_.servers(); }
    WallTime now(ClientId client) override;
    MonotonicTime monotonic(ClientId client) override;
    Token fresh_token(ClientId client) override;
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) override;
    void threw(ClientId client, TaskId task, const std::string& words) override {
        host_.threw(client, task, words);
    }
    std::uint64_t next_grant(ClientId client) override;
    bool enough(ClientId client) override;
    Choices& choices() override { return *this; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;

private:
    class Echo;

    struct Started {
        ClientId client;
        Workload workload;
    };
    struct Observed {
        ClientId client;
        TaskId task;
        std::uint32_t ticket = 0;
        Reply reply;
        NodeId from;
    };
    struct Crashed {
        ClientId client;
    };
    struct Acted {
        ClientId client;
        TaskId task;
        Action action;
    };
    struct Noted {
        ClientId client;
        Phase phase;
        ResourceId resource;
        std::string what;
        bool operator==(const Noted&) const = default;
    };
    struct Drawn {
        ClientId client;
        Token token;
    };
    enum class Question : std::uint8_t { now, monotonic, next_grant, enough, pick, slow_job };
    struct Asked {
        Question question;
        std::uint64_t about = 0;  ///< the client; for a pick, the number of choices
        std::int64_t answer = 0;
    };
    using Entry = std::variant<Started, Observed, Crashed, Acted, Noted, Drawn, Asked>;

    std::uint32_t pick(ChoiceKind kind, std::uint32_t count) override;
    std::int64_t asked(Question question, std::uint64_t about, std::int64_t answer) {
        entries_.emplace_back(Asked{question, about, answer});
        return answer;
    }
    static std::string in_words(const EventDetail& detail);
    static std::int64_t number_of(const std::optional<Duration>& length) {
        return length ? length->count() : kNone;
    }

    static constexpr std::int64_t kNone = -1;

    Host& host_;
    std::vector<Entry> entries_;
};

}  // namespace locklab
