// What came of a play, by the plainest reading of script.h, on random histories: whatever is found
// by following a history once must be found by looking back from each of its events.

#include <gtest/gtest.h>

#include <set>

#include "harness/check/outcome.h"
#include "harness/core/random_choices.h"

namespace locklab::outcome_reference_test {
namespace {

using Effect = KeyEffect::Kind;

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kHistories = 2'000;
#else
constexpr std::uint64_t kHistories = 30'000;
#endif
constexpr Duration kTtl(10);

class Generator {
public:
    explicit Generator(std::uint64_t run) : random_(21, run) {}

    History history() {
        history_.world = "sim";
        history_.key = "k";
        history_.clients = 1 + pick(4);
        history_.patience = Duration(pick(2) * 12);
        const std::uint32_t events = pick(60);
        for (std::uint32_t i = 0; i < events; ++i) {
            at_ += Duration(std::max(0, static_cast<int>(pick(5)) - 2));
            add(ClientId{pick(history_.clients)});
        }
        history_.end = at_ + Duration(pick(12));
        return std::move(history_);
    }

private:
    struct Way {
        std::uint64_t call;
        ClientId client;
        Phase phase;
    };
    std::uint32_t pick(std::uint32_t count) { return random_.pick(ChoiceKind::fault, count); }
    void note(ClientId client, Phase phase, EventDetail detail) {
        history_.events.push_back({at_, client, phase, std::move(detail)});
    }

    void add(ClientId client) {
        switch (pick(13)) {
            case 0: return note(client, Phase::acquire, event::Wants{pick(6) == 0});
            case 1:
            case 2: return note(client, Phase::acquire, event::Refused{pick(2) == 0});
            case 3: return note(client, Phase::inside, event::Granted{++grants_, Token{}, {}});
            case 4: return note(client, Phase::inside, event::Leaving{});
            case 5: return note(client, Phase::release, event::Released{});
            case 6:
                if (pick(3) > 0) return note(client, Phase::inside, event::Lost{});
                return note(client, Phase::idle, event::Finished{});
            case 7:
                if (pick(2) > 0)
                    return note(client, Phase::inside, event::Fault{Hazard::pause, {}});
                return note(client, Phase::inside, event::Fault{Hazard::crash, {}});
            case 8:
                if (grants_ == 0) return;
                return note(client, Phase::inside,
                            event::Wrote{pick(3), pick(3), ++versions_, 1 + pick(grants())});
            case 9:
            case 10: return send(client);
            default: return run();
        }
    }
    std::uint32_t grants() const { return static_cast<std::uint32_t>(grants_); }

    void send(ClientId client) {
        constexpr Phase kPhases[] = {Phase::acquire, Phase::release, Phase::background};
        const Phase phase = kPhases[pick(3)];
        ways_.push_back({++calls_, client, phase});
        note(client, phase, event::Sent{calls_, NodeId{}, Command::of("DEL", "k")});
    }
    /// What was sent arrives in any order, and may arrive twice.
    void run() {
        if (ways_.empty()) return;
        const std::size_t i = pick(static_cast<std::uint32_t>(ways_.size()));
        const Way way = ways_[i];
        if (pick(6) > 0) ways_.erase(ways_.begin() + static_cast<std::ptrdiff_t>(i));
        constexpr Effect kEffects[] = {Effect::none, Effect::created, Effect::replaced,
                                       Effect::extended, Effect::deleted};
        note(way.client, way.phase,
             event::Executed(way.call, NodeId{}, at_, Command::of("DEL", "k"), Reply::integer(1),
                             KeyEffect{kEffects[pick(5)], Duration(0)}));
    }

    RandomChoices random_;
    History history_;
    Instant at_;
    std::vector<Way> ways_;
    std::uint64_t calls_ = 0;
    std::uint64_t grants_ = 0;
    std::uint64_t versions_ = 0;
};

template <class... Details>
bool is(const Event& event) {
    return (std::holds_alternative<Details>(event.detail) || ...);
}

bool crashes(const Event& event) {
    return is<event::Fault>(event) && std::get<event::Fault>(event.detail).hazard == Hazard::crash;
}

/// Answers every question by looking back from an event.
class Reference {
public:
    explicit Reference(const History& history) : history_(history), events_(history.events) {}

    Outcome outcome() const {
        Outcome outcome;
        outcome.inside_together = list(inside_together());
        outcome.deleted = list(trespasses(true));
        outcome.extended = list(trespasses(false));
        outcome.lost_updates = list(lost_updates());
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const bool stuck = waited_long(i) && gets_it_then(i);
            if (stuck) outcome.stuck[events_[i].client] = StuckKind::until_ttl;
        }
        for (const ClientId client : clients()) {
            if (waits_for_ever(client)) outcome.stuck[client] = StuckKind::for_ever;
        }
        for (const ClientId client : clients()) {
            const auto last = last_of(client, events_.size(), [](const Event& event) {
                return is<event::Wants, event::Granted>(event) || crashes(event);
            });
            const bool wants = last && is<event::Wants>(events_[*last]);
            if (wants && !outcome.stuck.contains(client)) outcome.kept_out.push_back(client);
        }
        return outcome;
    }

private:
    static std::vector<Deed> list(const std::set<Deed>& deeds) {
        return {deeds.begin(), deeds.end()};
    }
    std::vector<ClientId> clients() const {
        std::vector<ClientId> all;
        for (std::uint32_t i = 0; i < history_.clients; ++i) all.push_back(ClientId{i});
        return all;
    }
    /// The client's last event before `before` that passes the test.
    template <class Test>
    std::optional<std::size_t> last_of(ClientId client, std::size_t before, Test test) const {
        for (std::size_t i = before; i-- > 0;) {
            if (events_[i].client == client && test(events_[i])) return i;
        }
        return std::nullopt;
    }

    bool inside(ClientId client, std::size_t before) const {
        const auto last = last_of(client, before, [](const Event& e) {
            return is<event::Granted, event::Leaving, event::Lost, event::Released>(e) ||
                   crashes(e);
        });
        return last && is<event::Granted>(events_[*last]);
    }
    std::set<Deed> inside_together() const {
        std::set<Deed> found;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            if (!is<event::Granted>(events_[i])) continue;
            for (const ClientId other : clients()) {
                if (other == events_[i].client || !inside(other, i)) continue;
                found.insert({other, events_[i].client});
            }
        }
        return found;
    }

    /// Whether it is somewhere from its grant to the end of its release.
    bool holds(ClientId client, std::size_t before, bool leaving_ends) const {
        const auto last = last_of(client, before, [&](const Event& e) {
            return is<event::Granted, event::Wants, event::Released, event::Finished>(e) ||
                   crashes(e) || (leaving_ends && is<event::Leaving, event::Lost>(e));
        });
        return last && is<event::Granted>(events_[*last]);
    }
    bool anybody_holds(std::size_t before, bool leaving_ends = false) const {
        const auto all = clients();
        return std::any_of(all.begin(), all.end(),
                           [&](ClientId client) { return holds(client, before, leaving_ends); });
    }
    bool waited_long(std::size_t refusal) const {
        const Event& event = events_[refusal];
        if (!is<event::Refused>(event) || anybody_holds(refusal)) return false;
        Instant since;
        for (std::size_t i = 0; i < refusal; ++i) {
            const bool begins = events_[i].client == event.client && is<event::Wants>(events_[i]);
            if (begins || anybody_holds(i)) since = std::max(since, events_[i].at);
        }
        return event.at - since >= kTtl / 2;
    }
    /// Whether what its client wanted as it was refused came.
    bool gets_it_then(std::size_t refusal) const {
        for (std::size_t i = refusal + 1; i < events_.size(); ++i) {
            if (events_[i].client != events_[refusal].client) continue;
            if (is<event::Wants, event::Granted>(events_[i])) return is<event::Granted>(events_[i]);
        }
        return false;
    }
    bool waits_for_ever(ClientId client) const {
        const auto last = last_of(client, events_.size(), [](const Event& e) {
            return is<event::Wants, event::Granted, event::Finished>(e) || crashes(e);
        });
        if (!last || !is<event::Wants>(events_[*last])) return false;
        const bool told = std::any_of(events_.begin(), events_.end(),
                                      [](const Event& e) { return is<event::Released>(e); });
        Instant granted;
        for (const Event& event : events_) {
            if (is<event::Granted>(event)) granted = event.at;
        }
        const Instant end = std::max(history_.end, events_.back().at);
        return history_.patience > Duration::zero() && end - granted >= history_.patience &&
               !anybody_holds(events_.size(), !told);
    }

    /// How often its client had begun a round when the command was sent; a watchdog belongs to
    /// the round of the last grant.
    std::size_t round_of(std::size_t executed) const {
        const auto& ran = std::get<event::Executed>(events_[executed].detail);
        const ClientId client = events_[executed].client;
        const std::size_t sent = *last_of(client, executed, [&](const Event& e) {
            return is<event::Sent>(e) && std::get<event::Sent>(e.detail).call == ran.call;
        });
        if (events_[sent].phase != Phase::background) return rounds(client, sent);
        const auto granted = last_of(client, sent, is<event::Granted>);
        return granted ? rounds(client, *granted) : 0;
    }
    std::size_t rounds(ClientId client, std::size_t before) const {
        std::size_t count = 1;
        for (std::size_t i = 0; i < before; ++i) {
            if (events_[i].client == client && begins_round(i)) ++count;
        }
        // A client's first event may itself begin a round; the one before it is empty then.
        return count;
    }
    /// Who has been granted the lock in this round, and takes it again, stays in its round.
    bool begins_round(std::size_t i) const {
        if (!is<event::Wants, event::Released>(events_[i])) return false;
        const auto* wants = std::get_if<event::Wants>(&events_[i].detail);
        if (wants == nullptr || !wants->again) return true;
        for (std::size_t k = i; k-- > 0;) {
            if (events_[k].client != events_[i].client) continue;
            if (is<event::Granted>(events_[k])) return false;
            if (begins_round(k)) return true;
        }
        return true;
    }
    Effect effect(std::size_t i) const {
        if (!is<event::Executed>(events_[i])) return Effect::none;
        return std::get<event::Executed>(events_[i].detail).effect.kind;
    }
    bool makes(std::size_t i) const {
        return effect(i) == Effect::created || effect(i) == Effect::replaced;
    }
    /// Whether its client's next grant rests on this command.
    bool takes(std::size_t i) const {
        const ClientId client = events_[i].client;
        for (std::size_t k = i + 1; k < events_.size(); ++k) {
            if (events_[k].client != client) continue;
            if (begins_round(k)) return false;
            if (makes(k) && round_of(k) == rounds(client, k)) return false;
            if (is<event::Granted>(events_[k])) return round_of(i) == rounds(client, i);
        }
        return false;
    }

    /// The command that made the key, if a client lives by it just before `place`.
    std::optional<std::size_t> key_before(std::size_t place) const {
        for (std::size_t i = place; i-- > 0;) {
            if (effect(i) == Effect::deleted) return std::nullopt;
            const bool anew = effect(i) == Effect::created || (makes(i) && takes(i));
            if (!anew) continue;
            if (!takes(i)) return std::nullopt;
            for (std::size_t k = i + 1; k < place; ++k) {
                const bool over =
                    is<event::Released, event::Lost>(events_[k]) || crashes(events_[k]);
                if (events_[k].client == events_[i].client && over) return std::nullopt;
            }
            return i;
        }
        return std::nullopt;
    }
    std::set<Deed> trespasses(bool deletions) const {
        std::set<Deed> found;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const bool deletes = effect(i) == Effect::deleted;
            const bool moves =
                effect(i) == Effect::extended || (effect(i) == Effect::replaced && !takes(i));
            if (deletions ? !deletes : !moves) continue;
            const auto key = key_before(i);
            if (!key) continue;
            const ClientId owner = events_[*key].client;
            if (owner == events_[i].client && round_of(*key) == round_of(i)) continue;
            found.insert({owner, events_[i].client});
        }
        return found;
    }

    std::set<Deed> lost_updates() const {
        std::set<Deed> found;
        const event::Wrote* last = nullptr;
        for (const Event& event : events_) {
            const auto* wrote = std::get_if<event::Wrote>(&event.detail);
            if (wrote == nullptr) continue;
            const bool lost = wrote->previous != wrote->base && last != nullptr;
            if (lost) found.insert({client_of(last->grant), client_of(wrote->grant)});
            last = wrote;
        }
        return found;
    }
    ClientId client_of(std::uint64_t grant) const {
        const auto granted = std::find_if(events_.begin(), events_.end(), [&](const Event& e) {
            return is<event::Granted>(e) && std::get<event::Granted>(e.detail).grant == grant;
        });
        return granted->client;
    }

    const History& history_;
    const std::vector<Event>& events_;
};

const std::vector<std::string> kNames = {"A", "B", "C", "D"};

std::string shown(const Outcome& outcome) { return in_words(outcome, kNames); }

TEST(OutcomeReference, is_what_looking_back_finds) {
    std::size_t seen[6] = {};
    for (std::uint64_t run = 0; run < kHistories && !testing::Test::HasFailure(); ++run) {
        const History history = Generator(run).history();
        const Outcome expected = Reference(history).outcome();
        ASSERT_EQ(shown(outcome_of(history, kTtl)), shown(expected)) << "history " << run;
        seen[0] += expected.inside_together.size();
        seen[1] += expected.deleted.size();
        seen[2] += expected.extended.size();
        seen[3] += expected.lost_updates.size();
        seen[4] += expected.stuck.size();
        seen[5] += expected.kept_out.size();
    }
    for (const std::size_t count : seen) EXPECT_GT(count, kHistories / 100);
}

}  // namespace
}  // namespace locklab::outcome_reference_test
