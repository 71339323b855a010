// The Redis model against a real redis-server, and against Valkey where it is installed: the same
// random commands, scripts and transactions over the same connections at the same instants, every
// reply compared, and after each sequence every key. The server runs with a clock that the test
// sets, so a seed repeats a run exactly, to the millisecond of an expiry.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "harness/foreign/pinned_server.h"
#include "harness/store/redis/redis_model.h"
#include "harness/store/redis/redis_text.h"
#include "tests/store/random_commands.h"
#include "tests/store/real_redis.h"

namespace locklab::test::differential_test {

namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kCommands = 5'000;
#else
constexpr std::uint64_t kCommands = 150'000;
#endif
constexpr std::size_t kSequence = 150;
constexpr WallTime kStart{std::chrono::seconds(1'700'000'000)};

/// Connection 0 is the test's own, for looking at keys.
constexpr std::size_t kConnections = 4;

struct Step {
    WallTime now;
    Words words;  ///< none: the connection closes
    std::size_t connection = 0;
};

/// What was compared: a test that never met the hard cases would prove nothing.
struct Coverage {
    std::uint64_t compared = 0;
    /// Commands that met a key one ms before, at, and one ms after its deadline.
    std::array<std::uint64_t, 3> at_deadline{};
    /// How often each command was answered with something other than an error.
    std::map<std::string, std::uint64_t> answered;
    std::uint64_t ran = 0;      ///< transactions that ran a command...
    std::uint64_t changed = 0;  ///< ...and that ran none, for a watched key had changed...
    std::uint64_t aborted = 0;  ///< ...or a command was not queued
    std::uint64_t closed = 0;   ///< connections with a transaction, or with watched keys

    void meets(const RedisModel& model, const Step& step) {
        const std::int64_t now_ms =
            std::chrono::floor<std::chrono::milliseconds>(step.now).time_since_epoch().count();
        for (const std::string& word : step.words) {
            const KeyEntry* entry = model.keys().stored(word);
            if (entry == nullptr || !entry->has_deadline()) continue;
            const std::int64_t late = now_ms - entry->deadline_ms;
            if (late >= -1 && late <= 1) ++at_deadline[static_cast<std::size_t>(late + 1)];
        }
    }
    void takes(const Step& step, const Reply& reply) {
        if (step.words.empty()) return;
        ++compared;
        std::string name = step.words[0];
        std::ranges::transform(name, name.begin(), lower);
        if (!reply.is_error()) ++answered[name];
        if (name != "exec") return;
        if (!reply.elements().empty()) ++ran;
        if (reply.is_nil()) ++changed;
        if (reply.text().starts_with("EXECABORT")) ++aborted;
    }
};

/// The model and the server, in step.
class Pair {
public:
    Pair(RealRedis& real, ServerKind server) : real_(real), server_(server) { reset(); }

    void reset() {
        for (std::size_t i = 1; i < kConnections; ++i) {
            real_.execute({"DISCARD"}, i);
            real_.execute({"UNWATCH"}, i);
        }
        real_.execute({"FLUSHALL"});
        real_.execute({"SCRIPT", "FLUSH"});
        model_ = RedisModel();
        engine_ = std::make_unique<ScriptEngine>();
        engine_->run_in(server_);
    }

    /// Both replies where they differ.
    std::optional<std::string> play(const Step& step) {
        if (step.words.empty()) {
            model_.close(step.connection);
            real_.close(step.connection);
            return std::nullopt;
        }
        std::vector<std::string_view> words(step.words.begin(), step.words.end());
        const Reply ours = model_.execute(words, step.now, *engine_, step.connection);
        real_.set_clock(step.now);
        reply_ = real_.execute(step.words, step.connection);
        if (ours == reply_) return std::nullopt;
        return "model:  " + to_string(ours) + "\n  server: " + to_string(reply_);
    }

    /// Every key, type, value and deadline where they differ.
    std::optional<std::string> compare_keys() {
        // At the epoch no deadline has passed: this shows what is stored, not what is alive.
        real_.set_clock(WallTime());
        std::vector<KeyEntry> theirs;
        const Reply names = real_.execute({"KEYS", "*"});
        for (const Reply& name : names.elements()) {
            theirs.push_back(read(name.text()));
        }
        std::ranges::sort(theirs, {}, &KeyEntry::name);
        const auto ours = model_.keys().entries();
        if (std::ranges::equal(ours, theirs)) return std::nullopt;
        return "model:  " + show(ours) + "\n  server: " + show(theirs);
    }

    const RedisModel& model() const { return model_; }
    /// The server's last one.
    const Reply& reply() const { return reply_; }

private:
    KeyEntry read(const std::string& name) {
        KeyEntry entry{name, std::string(), kNever};
        if (real_.execute({"TYPE", name}).text() == "hash") {
            HashValue hash;
            const Reply reply = real_.execute({"HGETALL", name});
            for (std::size_t i = 0; i < reply.elements().size(); i += 2) {
                hash.set(reply.elements()[i].text(), reply.elements()[i + 1].text());
            }
            entry.value = hash;
        } else {
            entry.value = real_.execute({"GET", name}).text();
        }
        const std::int64_t deadline = real_.execute({"PEXPIRETIME", name}).as_integer();
        if (deadline >= 0) entry.deadline_ms = deadline;
        return entry;
    }

    static std::string show(std::span<const KeyEntry> entries) {
        std::string text;
        for (const KeyEntry& entry : entries) {
            const auto* hash = std::get_if<HashValue>(&entry.value);
            text += " '" + entry.name + "' = ";
            if (hash == nullptr) text += "'" + std::get<std::string>(entry.value) + "'";
            if (hash != nullptr) text += "hash of " + std::to_string(hash->fields().size());
            if (entry.has_deadline()) text += " until " + std::to_string(entry.deadline_ms);
        }
        return text;
    }

    RealRedis& real_;
    const ServerKind server_;
    RedisModel model_;
    std::unique_ptr<ScriptEngine> engine_;
    Reply reply_;
};

/// The first difference when the steps are played from empty servers, if there is one.
std::optional<std::string> difference(Pair& pair, const std::vector<Step>& steps) {
    pair.reset();
    for (const Step& step : steps) {
        if (auto found = pair.play(step)) return found;
    }
    return pair.compare_keys();
}

/// Leaves out every step without which they still differ.
std::vector<Step> shrink(Pair& pair, std::vector<Step> steps) {
    for (std::size_t i = steps.size(); i-- > 0;) {
        std::vector<Step> fewer = steps;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (difference(pair, fewer)) steps = std::move(fewer);
    }
    return steps;
}

/// In quotes, with line breaks as one would type them.
std::string in_quotes(std::string_view word) {
    std::string text = "'";
    for (const char c : word) {
        if (c == '\r') text += "\\r";
        if (c == '\n') text += "\\n";
        if (!is_break(c)) text += c;
    }
    return text + "'";
}

std::string show(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps) {
        text += "  " + std::to_string(us(step.now)) + " us, connection " +
                std::to_string(step.connection) + (step.words.empty() ? " closes" : ":");
        for (const std::string& word : step.words) text.append(" ").append(in_quotes(word));
        text += "\n";
    }
    return text;
}

/// Mostly no time passes, or a little; often it is just when a key expires, or about to.
WallTime later(WallTime now, const RedisModel& model, RandomChoices& choices) {
    const auto pick = [&](std::uint32_t n) { return choices.pick(ChoiceKind::workload, n); };
    switch (pick(8)) {
        case 0: return now + Duration(pick(1500));
        case 1: return now + std::chrono::milliseconds(pick(4));
        case 2: return pick(4) == 0 ? now + Duration(pick(3'000'000)) : now;
        case 3:
        case 4: {
            std::vector<WallTime> soon;
            for (const KeyEntry& entry : model.keys().entries()) {
                if (!entry.has_deadline()) continue;
                const std::int64_t left = entry.deadline_ms - us(now) / 1000;
                if (left < 0 || left > 5000) continue;
                const std::int64_t ms = entry.deadline_ms + std::int64_t{pick(3)} - 1;
                soon.push_back(WallTime(std::chrono::milliseconds(ms) + Duration(pick(1000))));
            }
            if (soon.empty()) return now;
            return std::max(now, soon[pick(static_cast<std::uint32_t>(soon.size()))]);
        }
        default: return now;
    }
}

const Session* session_of(const RedisModel& model, SessionId id) {
    const auto all = model.sessions().all();
    const auto found = std::ranges::find(all, id, &Session::id);
    return found == all.end() ? nullptr : &*found;
}

std::uint64_t seed_from_environment() {
    const char* text = std::getenv("LOCKLAB_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

/// Those that are installed.
std::vector<ServerKind> servers() {
    std::vector<ServerKind> all{ServerKind::redis};
    for (const ServerKind kind : pinned_servers()) {
        if (pinned_server(kind).is_installed()) all.push_back(kind);
    }
    return all;
}

class Differential : public testing::TestWithParam<ServerKind> {
protected:
    void SetUp() override {
        std::cout << "seed " << seed_ << "; to repeat: LOCKLAB_SEED=" << seed_
                  << " ctest --preset release -R Differential\n";
        try {
            real_ = std::make_unique<RealRedis>(program_of(GetParam()));
        } catch (const std::exception& error) {
            FAIL() << error.what();
        }
    }

    void report(Pair& pair, std::uint64_t sequence, const std::vector<Step>& steps) {
        const std::vector<Step> fewest = shrink(pair, steps);
        const auto found = difference(pair, fewest);
        FAIL() << "seed " << seed_ << ", sequence " << sequence << ", step " << steps.size()
               << ": model and server differ after these commands:\n"
               << show(fewest) << "  " << found.value_or("(only after the commands left out)")
               << "\nTo repeat: LOCKLAB_SEED=" << seed_
               << " ctest --preset release -R Differential";
    }

    const std::uint64_t seed_ = seed_from_environment();
    std::unique_ptr<RealRedis> real_;
};

TEST_P(Differential, the_server_shows_the_time_that_the_test_sets) {
    real_->set_clock(WallTime(Duration(1'234'567'890'123'456)));
    const Reply time = real_->execute({"TIME"});
    EXPECT_EQ(to_string(time), "[\"1234567890\", \"123456\"]");
}

TEST_P(Differential, the_server_keeps_a_key_to_the_end_of_its_last_millisecond) {
    real_->set_clock(kStart);
    real_->execute({"SET", "k", "v", "PX", "10"});
    real_->set_clock(kStart + Duration(10'999));
    EXPECT_EQ(to_string(real_->execute({"PTTL", "k"})), "(integer) 0");
    real_->set_clock(kStart + Duration(11'000));
    EXPECT_EQ(to_string(real_->execute({"PTTL", "k"})), "(integer) -2");
}

TEST_P(Differential, model_and_server_answer_alike) {
    Pair pair(*real_, GetParam());
    Coverage coverage;
    for (std::uint64_t sequence = 0; coverage.compared < kCommands; ++sequence) {
        RandomChoices choices(seed_, sequence);
        RandomCommands commands(choices, GetParam());
        std::vector<Step> steps;
        pair.reset();
        WallTime now = kStart + Duration(choices.pick(ChoiceKind::workload, 2'000'000));
        while (steps.size() < kSequence) {
            now = later(now, pair.model(), choices);
            const std::size_t from = 1 + choices.pick(ChoiceKind::workload, kConnections - 1);
            const Session* const session = session_of(pair.model(), from);
            const bool open = session != nullptr && session->in_transaction;
            steps.push_back({now, commands.next(now, open), from});
            if (choices.pick(ChoiceKind::workload, 100) == 0) {
                steps.back().words.clear();
                if (session != nullptr) ++coverage.closed;
            }
            coverage.meets(pair.model(), steps.back());
            if (pair.play(steps.back())) return report(pair, sequence, steps);
            coverage.takes(steps.back(), pair.reply());
        }
        if (pair.compare_keys()) return report(pair, sequence, steps);
    }
    std::cout << coverage.compared << " replies, at a deadline - 1, 0 and + 1 ms "
              << coverage.at_deadline[0] << ", " << coverage.at_deadline[1] << " and "
              << coverage.at_deadline[2] << "\n";
    std::cout << coverage.ran << " transactions ran, " << coverage.changed
              << " did not for a watched key, " << coverage.aborted << " for an error; "
              << coverage.closed << " connections closed meanwhile\n";
    for (const std::uint64_t met :
         {coverage.ran, coverage.changed, coverage.aborted, coverage.closed}) {
        EXPECT_GE(met, coverage.compared / 1500);
    }
    for (const std::uint64_t met : coverage.at_deadline) EXPECT_GE(met, coverage.compared / 150);
    for (const std::string_view name : RandomCommands::names(GetParam())) {
        EXPECT_GE(coverage.answered[std::string(name)], coverage.compared / 2500) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Differential, testing::ValuesIn(servers()),
                         [](const auto& server) { return std::string(name_of(server.param)); });

}  // namespace
}  // namespace locklab::test::differential_test
