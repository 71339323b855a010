#include "harness/foreign/foreign_run.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "harness/core/duration_text.h"
#include "harness/driver/unasked_stop.h"
#include "harness/foreign/foreign_client.h"
#include "harness/foreign/foreign_setup.h"
#include "harness/foreign/link_commands.h"
#include "harness/foreign/link_record.h"
#include "harness/foreign/operator_commands.h"
#include "harness/foreign/struck_servers.h"
#include "harness/live/clock_watch.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Duration kLongestWait = std::chrono::milliseconds(20);

class ForeignRun final : public ForeignClient::Surroundings {
public:
    ForeignRun(const ForeignConfig& config, ForeignSetup& setup, ManagedServers& servers,
               Team& team)
        : Surroundings(config.spec, *setup.story, setup.links, setup.schedule, setup.choices,
                       config.subject),
          setup_(setup),
          team_(team),
          struck_(setup, servers, team.start_own_servers(), config.spec,
                  config.subject.keys_of(setup.key).front(),
                  config.subject.row().redis_servers > 0),
          last_grant_(setup.began) {
        for (std::uint32_t i = 0; i < spec.clients; ++i) {
            clients_.push_back(std::make_unique<ForeignClient>(ClientId{i}, team.driver(i), *this));
        }
        for (const PlannedFault& fault : setup.plan) {
            if (row_of(fault.hazard).moment != FaultMoment::at_start) continue;
            story.note(fault.moment.client, Phase::idle, event::Fault{fault.hazard, fault.amount});
        }
    }

    bool play(const std::function<bool()>& interrupted) {
        while (!is_over() && !setup_.proxy->said_too_much()) {
            if (interrupted()) return false;
            turn();
        }
        return true;
    }

    ForeignResult end() {
        for (const auto& client : clients_) {
            if (client->is_stopped()) client->resume();
        }
        ForeignResult result;
        result.fell_short = why_short();
        setup_.proxy->stop();
        if (setup_.proxy->said_too_much()) team_.give_up(setup_.proxy->complaints().back());
        slowness.machine_was_late(read_links(result));
        result.proved = story.proved();
        result.seen_inside = story.seen_inside();
        result.told = story.told();
        result.history = story.finish(team_.scripts());
        result.hangs = hangs_in(result.history);
        result.notes = std::move(setup_.notes);
        for (const auto& client : clients_) {
            result.complaints += client->complaints();
            if (result.hung.empty()) result.hung = client->hung();
            if (result.first_error.empty()) result.first_error = client->first_error();
            if (result.first_error.empty()) result.first_error = client->how_it_died();
        }
        result.lag = slowness.worst();
        result.disturbance = slowness.disturbance(clock_.worst_step());
        std::unique_ptr<bool[]> well(new bool[clients_.size()]);
        std::ranges::transform(clients_, well.get(),
                               [](const auto& c) { return c->is_done() && !c->is_dead(); });
        struck_.end();
        team_.close({well.get(), clients_.size()});
        return result;
    }

    void strike(const PlannedFault& fault, ForeignClient& client) override {
        if (row_of(fault.hazard).target == FaultTarget::node) return strike_server(fault, client);
        if (strikes_calls(fault.hazard)) {
            if (client.cancel()) note(fault, client, Duration(0));
            return;
        }
        switch (row_of(fault.hazard).size) {
            case FaultSize::none: client.kill(); return note(fault, client, Duration(0));
            case FaultSize::pause:
                if (client.stop(fault.amount)) note(fault, client, fault.amount);
                return;
            case FaultSize::clock:
                team_.clock(client.id().value).jump(fault.amount);
                note(fault, client, fault.amount);
                return linger();
            case FaultSize::job:
            case FaultSize::delay:
            case FaultSize::reply_delay:
            case FaultSize::outage:
            case FaultSize::age:
            case FaultSize::takeover:
            case FaultSize::cut:
            case FaultSize::hang: LOCKLAB_ASSERT(false && "strikes no client at this moment");
        }
    }

    void died(ForeignClient& client) override {
        stillness.killed(client.id(), Clock::now());
        story.died(client.id(), client.phase());
    }

    bool is_in_company(const ForeignClient& client) const override {
        return std::ranges::any_of(clients_, [&](const auto& other) {
            return other.get() != &client && !other->is_dead() && !other->is_stopped() &&
                   story.suspects(client.id(), other->id());
        });
    }

    void granted(ForeignClient& client) override {
        last_grant_ = Clock::now();
        for (const auto& other : clients_) {
            if (other.get() != &client) other->show_yourself();
        }
    }

    bool has_hung_since(Clock::time_point at) const override {
        return struck_.away_until() && *struck_.away_until() >= at;
    }

private:
    void note(const PlannedFault& fault, const ForeignClient& client, Duration amount,
              std::string key = {}) {
        const event::Fault noted{fault.hazard, amount, 0, fault.node, false, std::move(key)};
        story.note(client.id(), client.phase(), noted);
    }

    void strike_server(const PlannedFault& fault, const ForeignClient& client) {
        const auto struck = struck_.strike(fault);
        if (!struck) return;
        note({fault.hazard, {}, fault.amount, struck->node}, client, struck->amount, struck->key);
        linger();
    }

    /// Clients that are due learn of the new master; a stopped client learns once it continues.
    void learn_due(Clock::time_point now) {
        while (const std::optional<ClientId> client = struck_.learner(now)) {
            const ForeignClient& its = *clients_[client->value];
            if (its.is_dead()) continue;
            if (its.is_stopped()) {
                // It is due to continue by now perhaps, and does so after this.
                struck_.learns(*client, std::max(its.due().value_or(now), now) + Duration(1));
            } else {
                story.note(*client, its.phase(), event::Learnt{struck_.lead(*client)});
            }
        }
    }

    /// Clients inside work for as long as a lease allows, to be there when another comes.
    void linger() {
        for (const auto& client : clients_) client->linger();
    }

    bool is_over() const {
        // Does not wait for a client that then waits for what never comes, as with long library
        // time-outs.
        const Duration longest = spec.scale * 4 + std::min(spec.command_timeout, spec.scale) * 2;
        const bool all_leave = std::ranges::all_of(
            clients_, [&](const auto& c) { return c->is_done() || enough(c->id()); });
        const Duration limit = all_leave ? longest : spec.patience;
        return all_done() || Clock::now() - last_grant_ > limit;
    }

    bool all_done() const {
        return std::ranges::all_of(clients_, [](const auto& c) { return c->is_done(); });
    }

    std::string why_short() const {
        if (story.grants() >= spec.grants) return {};
        for (const auto& client : clients_) {
            if (!client->how_it_died().empty()) return client->how_it_died();
        }
        if (all_done()) return {};
        for (const auto& client : clients_) {
            const std::string what = client->unanswered();
            if (!what.empty()) return what;
        }
        return "nobody was granted the lock for " +
               to_string(std::chrono::duration_cast<Duration>(Clock::now() - last_grant_));
    }

    void turn() {
        await_something();
        const Clock::time_point now = Clock::now();
        slowness.machine_was_late(struck_.do_due(now));
        learn_due(now);
        clock_.look();
        for (const auto& client : clients_) client->hear();
        for (const auto& client : clients_) {
            const auto due = client->due();
            if (!due || *due > now) continue;
            slowness.machine_was_late(std::chrono::duration_cast<Duration>(now - *due));
            client->go_on(now);
        }
    }

    /// Due times are computed before words are heard, so that lateness is the machine's alone.
    void await_something() {
        const Clock::time_point now = Clock::now();
        Clock::time_point until = now + kLongestWait;
        std::vector<DriverProcess*> alive;
        for (const auto& client : clients_) {
            if (client->is_dead()) continue;
            if (const auto due = client->due()) until = std::min(until, *due);
            if (client->is_stopped()) continue;
            alive.push_back(&client->process());
            const std::string stopped = unasked_stop(alive.back()->pid(), subject.name());
            if (!stopped.empty()) throw DriverTrouble(stopped);
        }
        if (const auto due = struck_.next_due()) until = std::min(until, *due);
        if (const auto learns = struck_.next_learning()) until = std::min(until, *learns);
        const auto left = std::chrono::duration_cast<Duration>(until - now);
        if (left <= Duration(0)) return;
        if (alive.empty()) {
            std::this_thread::sleep_for(left);
        } else {
            DriverProcess::await_any(alive, left);
        }
    }

    /// Adds what the proxy saw to the history and the result. Returns the slowest answer, where
    /// neither the server nor the way was struck.
    Duration read_links(ForeignResult& result) {
        LinkRecord record(setup_.table, setup_.key, setup_.began);
        LinkCommands commands(
            setup_.table,
            {setup_.key, subject.keys_of(setup_.key), subject.renews_by_itself(), setup_.began},
            story, *team_.scripts());
        std::istringstream log(std::move(setup_.proxy->events()));
        EventReader reader(log);
        while (const std::optional<LinkEvent> event = reader.next()) {
            record.see(*event);
            commands.see(*event);
            see_operator(*event);
            stillness.see(setup_.table.client_of(event->head.link), event->head);
        }
        commands.tell();
        if (!subject.servers_start()) result.commands = record.commands();
        return record.slowest_answer([&](ClientId client, NodeId node) {
            return struck_.was_away(node) || links.strikes(client, node);
        });
    }

    void see_operator(const LinkEvent& event) {
        std::string& trouble = setup_.operator_trouble;
        if (event.head.moment != LinkMoment::request || !trouble.empty()) return;
        const ClientId client = setup_.table.client_of(event.head.link);
        trouble = operator_trouble(event.bytes, client, subject.name());
    }

    ForeignSetup& setup_;
    Team& team_;
    StruckServers struck_;
    std::vector<std::unique_ptr<ForeignClient>> clients_;
    Clock::time_point last_grant_;
    ClockWatch clock_;
};

}  // namespace

ForeignResult run_foreign(const ForeignConfig& config, ManagedServers& servers, Team& team,
                          const std::function<bool()>& interrupted) {
    LOCKLAB_ASSERT(servers.topology() == config.spec.topology);
    const std::unique_ptr<ForeignSetup> setup = set_up(config, team, servers);
    ForeignRun run(config, *setup, servers, team);
    const std::string& library = config.subject.name();
    ForeignResult result;
    try {
        const bool whole = run.play(interrupted);
        result = run.end();
        result.interrupted = !whole;
    } catch (const std::runtime_error&) {
        setup->blame_operator(library);
        throw;
    }
    setup->check_drivers(library);
    const std::string went_on = run.stillness.trouble_with(library);
    if (!result.disturbance && !went_on.empty()) throw DriverTrouble(went_on);
    return result;
}

}  // namespace locklab
