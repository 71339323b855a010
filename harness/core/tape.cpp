#include "harness/core/tape.h"

#include <map>
#include <mutex>
#include <utility>

namespace locklab {

namespace {

bool is_same(const Action& one, const Action& other) {
    if (one.kind != other.kind || one.ticket != other.ticket) return false;
    if (one.kind == Action::Kind::sleep) return one.sleep == other.sleep;
    return one.node == other.node && one.to_all == other.to_all &&
           one.command.script() == other.command.script() &&
           to_string(one.command) == to_string(other.command);
}

}  // namespace

void Tape::starts(ClientId client, const Workload& workload) {
    entries_.emplace_back(Started{client, workload});
}

void Tape::observes(ClientId client, TaskId task, std::uint32_t ticket, const Reply& reply,
                    NodeId from) {
    entries_.emplace_back(Observed{client, task, ticket, reply, from});
}

void Tape::crashes(ClientId client) { entries_.emplace_back(Crashed{client}); }

void Tape::act(ClientId client, TaskId task, Action& action) {
    entries_.emplace_back(Acted{client, task, action});
    host_.act(client, task, action);
}

WallTime Tape::now(ClientId client) {
    const WallTime now = host_.now(client);
    asked(Question::now, client.value, now.time_since_epoch().count());
    return now;
}

MonotonicTime Tape::monotonic(ClientId client) {
    const MonotonicTime now = host_.monotonic(client);
    asked(Question::monotonic, client.value, now.time_since_epoch().count());
    return now;
}

Token Tape::fresh_token(ClientId client) {
    Token token = host_.fresh_token(client);
    entries_.emplace_back(Drawn{client, token});
    return token;
}

/// What a worker notes, without what its host told it.
std::string Tape::in_words(const EventDetail& detail) {
    std::string text = std::to_string(detail.index());
    if (const auto* granted = std::get_if<event::Granted>(&detail)) {
        text += " " + std::to_string(granted->lease.count()) + " " +
                std::to_string(granted->fence) + " " + granted->token.text;
    } else if (const auto* refused = std::get_if<event::Refused>(&detail)) {
        text += refused->unsure ? " unsure" : " sure";
    } else if (const auto* failed = std::get_if<event::Failed>(&detail)) {
        text += " " + failed->error;
    } else if (const auto* released = std::get_if<event::Released>(&detail)) {
        text += " " + std::string(name_of(released->outcome));
    }
    return text;
}

void Tape::note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) {
    entries_.emplace_back(Noted{client, phase, resource, in_words(detail)});
    host_.note(client, phase, std::move(detail), resource);
}

std::uint64_t Tape::next_grant(ClientId client) {
    const std::uint64_t grant = host_.next_grant(client);
    asked(Question::next_grant, client.value, static_cast<std::int64_t>(grant));
    return grant;
}

bool Tape::enough(ClientId client) {
    return asked(Question::enough, client.value, host_.enough(client) ? 1 : 0) == 1;
}

std::uint32_t Tape::pick(ChoiceKind kind, std::uint32_t count) {
    const std::uint32_t picked = host_.choices().pick(kind, count);
    asked(Question::pick, count, picked);
    return picked;
}

std::optional<Duration> Tape::slow_job(ClientId client, std::uint32_t round) {
    const std::optional<Duration> length = host_.slow_job(client, round);
    asked(Question::slow_job, client.value, number_of(length));
    return length;
}

/// The host of a process that is run again alone: it answers from the tape, as long as the process
/// asks what the tape has next.
class Tape::Echo final : public Host, private Choices {
public:
    Echo(const Tape& tape, ClientId first, const RunShape& shape, const Key& key)
        : tape_(tape), first_(first), process_(make_process(first, shape, key, *this)) {}
    Echo(const Echo&) = delete;
    Echo& operator=(const Echo&) = delete;

    std::optional<ClientId> play() {
        while (!differs_ && next_ < tape_.entries_.size()) {
            const Entry& entry = tape_.entries_[next_++];
            if (const auto* started = std::get_if<Started>(&entry)) {
                Machine& machine = at(started->client);
                machine.start(work(machine, process_.locks, started->workload));
            } else if (const auto* observed = std::get_if<Observed>(&entry)) {
                at(observed->client)
                    .observe(observed->task, observed->ticket, Reply(observed->reply),
                             observed->from);
            } else if (const auto* crashed = std::get_if<Crashed>(&entry)) {
                at(crashed->client).crash();
            } else {
                differs_ = acting_;  // it asked for something then, and does not now
            }
        }
        return differs_;
    }

    void act(ClientId client, TaskId task, Action& action) override {
        const auto* acted = next<Acted>();
        check(acted != nullptr && acted->client == client && acted->task == task &&
              is_same(acted->action, action));
    }
    std::uint32_t servers() const override { return tape_.servers(); }
    WallTime now(ClientId client) override {
        return WallTime(Duration(answer(Question::now, client.value)));
    }
    MonotonicTime monotonic(ClientId client) override {
        return MonotonicTime(Duration(answer(Question::monotonic, client.value)));
    }
    Token fresh_token(ClientId client) override {
        const auto* drawn = next<Drawn>();
        check(drawn != nullptr && drawn->client == client);
        return drawn == nullptr ? Token{} : drawn->token;
    }
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) override {
        const auto* noted = next<Noted>();
        check(noted != nullptr && *noted == Noted{client, phase, resource, in_words(detail)});
    }
    /// The rerun ends there too, so there is nothing to record.
    void threw(ClientId, TaskId, const std::string&) override {}
    std::uint64_t next_grant(ClientId client) override {
        return static_cast<std::uint64_t>(answer(Question::next_grant, client.value));
    }
    bool enough(ClientId client) override {
        return answer(Question::enough, client.value) != 0 || differs_;
    }
    Choices& choices() override { return *this; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t) override {
        const std::int64_t length = answer(Question::slow_job, client.value);
        if (length == kNone || differs_) return std::nullopt;
        return Duration(length);
    }

private:
    Machine& at(ClientId client) {
        acting_ = client;
        return *process_.machines[client.value - first_.value];
    }
    void check(bool is_same) {
        if (!is_same && !differs_) differs_ = acting_;
    }
    /// The next entry of the tape, if it is of that kind.
    template <class Kind>
    const Kind* next() {
        if (differs_ || next_ == tape_.entries_.size()) return nullptr;
        return std::get_if<Kind>(&tape_.entries_[next_++]);
    }
    std::int64_t answer(Question question, std::uint64_t about) {
        const auto* asked = next<Asked>();
        const bool is_same =
            asked != nullptr && asked->question == question && asked->about == about;
        check(is_same);
        return is_same ? asked->answer : 0;
    }
    std::uint32_t pick(ChoiceKind, std::uint32_t count) override {
        return static_cast<std::uint32_t>(answer(Question::pick, count));
    }

    const Tape& tape_;
    const ClientId first_;
    std::size_t next_ = 0;
    std::optional<ClientId> differs_;
    ClientId acting_ = first_;
    ClientProcess process_;  // last: its locks may ask while they are made
};

std::optional<ClientId> Tape::differs_alone(ClientId first, const RunShape& shape,
                                            const Key& key) const {
    static std::mutex mutex;  // guards a map for lookup only:
    static std::map<decltype(Algorithm::make), ClientId> once;
    const std::optional<ClientId> client = Echo(*this, first, shape, key).play();
    const std::lock_guard guard(mutex);
    if (client) once.emplace(shape.algorithm->make, *client);
    const auto seen = once.find(shape.algorithm->make);
    if (seen == once.end()) return std::nullopt;
    return seen->second;
}

}  // namespace locklab
