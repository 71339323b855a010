#include "harness/foreign/foreign_run.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <thread>
#include <utility>

#include "harness/foreign/foreign_client.h"
#include "harness/foreign/slowest_answer.h"
#include "harness/live/random_hex.h"
#include "harness/live/sync_connection.h"
#include "harness/proxy/proxy_thread.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;

/// What is late by more than a TTL over this pauses whom nobody meant to pause.
constexpr int kTtlPerLag = 4;
/// A machine that is busy may be too slow for a first try, and not for so many.
constexpr int kBeginnings = 5;
constexpr Duration kLongestWait = std::chrono::milliseconds(20);

std::vector<PlannedFault> plan_of(const RunSpec& spec, RandomChoices& choices) {
    std::vector<PlannedFault> plan = draw_plan(spec.budget, fault_scale(spec), choices);
    for (PlannedFault& fault : plan) {
        // What ends before the lease does shows nothing, and a run of processes takes long.
        const bool outlasts = fault.hazard == Hazard::pause || fault.hazard == Hazard::delay_reply;
        if (outlasts) fault.amount = std::max(fault.amount, spec.scale * 6 / 5);
    }
    return plan;
}

/// Whoever sends again does so when it has waited in vain, and its second answer is in time.
Duration retry_after(const RunSpec& spec) {
    return std::min(spec.command_timeout * 4 / 5, spec.scale * 6 / 5);
}

HistoryHead head_of(const ForeignConfig& config, const std::string& key) {
    HistoryHead head;
    head.world = "driver";
    head.algorithm = std::string(config.spec.algorithm->name);
    head.clients = config.spec.clients;
    head.seed = config.seed;
    head.run = config.run;
    head.key = key;
    head.patience = config.spec.patience;
    return head;
}

class ForeignRun final : public ForeignClient::Surroundings {
public:
    struct Setup {
        Setup(const ForeignConfig& config, Team& its_team, ForeignServer& server)
            : choices(config.seed, config.run),
              plan(plan_of(config.spec, choices)),
              schedule(plan),
              key("locklab:" + RandomHex().draw(8)),
              links(plan, {key, retry_after(config.spec)}, choices) {
            const bool wrong_clocks = config.spec.budget.has(
                [](const HazardRow& row) { return is_of_clients_clock(row.hazard); });
            ProxyPlan proxies;
            for (std::uint32_t i = 0; i < config.spec.clients; ++i) {
                proxies.links.push_back({{link_name(ClientId{i}), "redis"},
                                         {"", "127.0.0.1", 0},
                                         server.process().port_endpoint()});
            }
            proxies.rules = links.rules();
            proxy = std::make_unique<ProxyThread>(std::move(proxies));
            server.set_clock_right();
            Team::Opening opening{key, config.spec.scale, config.spec.command_timeout, {}};
            for (std::uint32_t i = 0; i < config.spec.clients; ++i) {
                opening.servers.push_back(proxy->endpoint(i));
                if (!wrong_clocks) continue;
                opening.clocks_ahead.push_back(schedule.clock_offset(ClientId{i}));
            }
            trouble = its_team.open(opening);
            began = Clock::now();
            story = std::make_unique<RunStory>(head_of(config, key), began);
        }
        RandomChoices choices;
        std::vector<PlannedFault> plan;
        FaultSchedule schedule;
        std::string key;
        LinkPlan links;
        std::unique_ptr<ProxyThread> proxy;
        std::string trouble;  ///< before it began; empty: none
        Clock::time_point began;
        std::unique_ptr<RunStory> story;
    };

    ForeignRun(const ForeignConfig& config, Setup& setup, ForeignServer& server, Team& team)
        : Surroundings(config.spec, *setup.story, setup.links, setup.schedule, setup.choices,
                       config.subject),
          setup_(setup),
          server_(server),
          team_(team),
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
        while (!is_over()) {
            if (interrupted()) return false;
            turn();
        }
        return true;
    }

    ForeignResult end() {
        if (server_starts_) launch_server();
        for (const auto& client : clients_) {
            if (client->is_stopped()) client->process().go_on();
        }
        setup_.proxy->stop();
        ForeignResult result;
        read_events(result);
        result.proved = story.proved();
        result.seen_inside = story.seen_inside();
        result.told = story.told();
        result.history = story.finish();
        Duration late = std::max(worst_lag_, slowest_.took());
        for (const auto& client : clients_) {
            late = std::max(late, client->longest_answer());
            result.complaints += client->complaints();
            if (result.first_error.empty()) result.first_error = client->first_error();
        }
        if (late > spec.scale / kTtlPerLag) result.disturbance = Disturbance{};
        std::unique_ptr<bool[]> well(new bool[clients_.size()]);
        for (std::size_t i = 0; i < clients_.size(); ++i) {
            well[i] = clients_[i]->is_done() && !clients_[i]->is_dead();
        }
        server_.await_ready();
        team_.close({well.get(), clients_.size()});
        return result;
    }

    void strike(const PlannedFault& fault, ForeignClient& client) override {
        const auto note = [&](Duration amount) {
            story.note(client.id(), client.phase(), event::Fault{fault.hazard, amount});
        };
        switch (fault.hazard) {
            case Hazard::crash: client.kill(); return note(Duration(0));
            case Hazard::pause:
                if (client.stop(fault.amount)) note(fault.amount);
                return;
            case Hazard::restart:
                note(fault.amount);
                server_.kill();
                was_restarted_ = true;
                server_starts_ = Clock::now() + fault.amount;
                return linger();
            case Hazard::evict:
                SyncConnection(server_.process().endpoint())
                    .command(Command::of("DEL", setup_.key));
                note(Duration(0));
                return linger();
            case Hazard::clock_jump:
                team_.clock(client.id().value).jump(fault.amount);
                note(fault.amount);
                return linger();
            case Hazard::server_clock_jump:
                server_.clock().jump(fault.amount);
                note(fault.amount);
                return linger();
            default: LOCKLAB_ASSERT(false && "plans have what drivers can have");
        }
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

    bool enough() const override { return story.grants() >= spec.grants; }

private:
    /// Who is inside works for as long as a lease allows: it is there when another comes.
    void linger() {
        for (const auto& client : clients_) client->linger();
    }

    bool is_over() const {
        const bool done = std::ranges::all_of(clients_, [](const auto& c) { return c->is_done(); });
        // Who then awaits what never comes, as by its library's time-outs, is not waited for.
        const Duration longest = spec.scale * 4 + std::min(spec.command_timeout, spec.scale) * 2;
        const Duration limit = enough() ? longest : spec.patience;
        return done || Clock::now() - last_grant_ > limit;
    }

    void turn() {
        await_something();
        const Clock::time_point now = Clock::now();
        if (server_starts_ && *server_starts_ <= now) launch_server();
        for (const auto& client : clients_) client->hear();
        for (const auto& client : clients_) {
            const auto due = client->due();
            if (!due || *due > now) continue;
            worst_lag_ = std::max(worst_lag_, std::chrono::duration_cast<Duration>(now - *due));
            client->go_on(now);
        }
    }

    /// Who is due is looked at before what was said, so that late is late by the machine alone.
    void await_something() {
        const Clock::time_point now = Clock::now();
        Clock::time_point until = now + kLongestWait;
        std::vector<DriverProcess*> alive;
        for (const auto& client : clients_) {
            if (client->is_dead()) continue;
            if (const auto due = client->due()) until = std::min(until, *due);
            if (!client->is_stopped()) alive.push_back(&client->process());
        }
        if (server_starts_) until = std::min(until, *server_starts_);
        const auto left = std::chrono::duration_cast<Duration>(until - now);
        if (left <= Duration(0)) return;
        if (alive.empty()) {
            std::this_thread::sleep_for(left);
        } else {
            DriverProcess::await_any(alive, left);
        }
    }

    void launch_server() {
        server_starts_.reset();
        server_.launch();
    }

    void read_events(ForeignResult& result) {
        std::istringstream in(setup_.proxy->events());
        EventReader reader(in);
        while (const std::optional<LinkEvent> event = reader.next()) {
            const Clock::time_point at{std::chrono::nanoseconds(event->head.at_ns)};
            if (at < setup_.began) continue;
            const ClientId client{event->head.link};
            // Where nothing was done to it or to the way there.
            if (!was_restarted_ && !links.strikes(client)) slowest_.see(*event);
            if (event->head.moment == LinkMoment::struck) {
                const auto fault = static_cast<LinkFault>(event->head.fault);
                story.note_at(story.instant_of(at), client, Phase::background,
                              event::Fault{LinkPlan::hazard_of(fault)});
            } else if (event->head.moment == LinkMoment::request) {
                result.commands += event->bytes.find(setup_.key) != std::string::npos ? 1 : 0;
            }
        }
    }

    Setup& setup_;
    ForeignServer& server_;
    Team& team_;
    std::vector<std::unique_ptr<ForeignClient>> clients_;
    std::optional<Clock::time_point> server_starts_;
    Clock::time_point last_grant_;
    Duration worst_lag_{0};
    bool was_restarted_ = false;
    SlowestAnswer slowest_;
};

}  // namespace

ForeignResult run_foreign(const ForeignConfig& config, ForeignServer& server, Team& team,
                          const std::function<bool()>& interrupted) {
    auto setup = std::make_unique<ForeignRun::Setup>(config, team, server);
    for (int again = 0; !setup->trouble.empty() && again < kBeginnings; ++again) {
        setup = std::make_unique<ForeignRun::Setup>(config, team, server);
    }
    if (!setup->trouble.empty()) {
        throw DriverTrouble("The driver of " + config.subject.name() + " " + setup->trouble + ".");
    }
    ForeignRun run(config, *setup, server, team);
    const bool whole = run.play(interrupted);
    ForeignResult result = run.end();
    result.interrupted = !whole;
    return result;
}

}  // namespace locklab
