// News from processes and from the gate, as the stage waits for it.

#include <algorithm>
#include <thread>
#include <utility>

#include "harness/driver/unasked_stop.h"
#include "harness/foreign/driver_stage.h"
#include "harness/foreign/gated_command.h"
#include "harness/foreign/operator_commands.h"

namespace locklab {

namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds(1);

}  // namespace

/// Waits until a process or the gate has news, or the time is over. Whether there was news.
bool DriverStage::pump(Duration limit) {
    const Clock::time_point end = Clock::now() + limit;
    for (;;) {
        blame_operator();
        if (take_news() || hear_all()) return true;
        const auto left = std::chrono::duration_cast<Duration>(end - Clock::now());
        if (left <= Duration(0)) return false;
        std::vector<DriverProcess*> alive;
        for (Actor& actor : actors_) {
            if (actor.is_dead() || actor.paused) continue;
            alive.push_back(&actor.driver->process());
            const std::string stopped = unasked_stop(alive.back()->pid(), parts_.subject.name());
            if (!stopped.empty()) throw DriverTrouble(stopped);
        }
        if (alive.empty()) {
            std::this_thread::sleep_for(std::min(left, kLookEvery));
        } else {
            DriverProcess::await_any(alive, std::min(left, kLookEvery));
        }
    }
}

void DriverStage::blame_operator() {
    const std::optional<GateInbox::Changer> changer = inbox_->changer();
    if (!changer) return;
    throw DriverTrouble(
        operator_trouble(changer->frame, links_.client_of(changer->link), parts_.subject.name()));
}

bool DriverStage::take_news() {
    std::optional<GateInbox::News> news = inbox_->take();
    if (!news) return false;
    switch (news->kind) {
        case GateInbox::News::Kind::request: came(std::move(*news)); break;
        case GateInbox::News::Kind::reply: answered(std::move(*news)); break;
        case GateInbox::News::Kind::left: break;  // its earlier commands are on their way
        case GateInbox::News::Kind::over: broke(news->connection); break;
    }
    return true;
}

DriverStage::Held* DriverStage::held_at(const CommandTeller::Name& name) {
    for (const auto& wait : waits_) {
        if (wait->name == name) return wait.get();
    }
    return nullptr;
}

DriverStage::Held& DriverStage::add(ClientId client, TaskId task, Phase phase) {
    Held& wait = *waits_.emplace_back(std::make_unique<Held>());
    wait.id = ++last_wait_;
    wait.client = client;
    wait.task = task;
    wait.phase = phase;
    return wait;
}

void DriverStage::came(GateInbox::News&& news) {
    Actor& actor = actors_[links_.client_of(news.link).value];
    const NodeId node = node_at(news.link);
    const bool is_asked = actor.worker.is_asked_to_send();
    const CommandTeller::Name name{news.connection, news.number};
    GatedCommand gated = gated_command(news.frame);
    const auto tell = [&](std::uint64_t number, std::string_view frame) {
        teller_->came({{news.connection, number},
                       actor.id(),
                       node,
                       frame,
                       true,
                       now(),
                       actor.worker.phase_of_command(),
                       is_asked});
    };
    for (const auto& [number, frame] : news.queued) {
        tell(number, frame);
        // The effect of a transaction on the key is that of its commands.
        GatedCommand each = gated_command(frame);
        const bool names_key = frame.find(key_) != std::string::npos && !is_about_channel(each);
        if (names_key) gated.command = std::move(each.command);
    }
    tell(news.number, news.frame);
    const bool is_workers = !teller_->is_watchdogs(name);
    Held& wait = add(actor.id(), TaskId{is_workers ? 0U : 1U},
                     is_workers ? actor.phase() : Phase::background);
    wait.node = node;
    wait.name = name;
    actor.has_sent |= is_workers;
    wait.may_wait = may_wait_at_server(gated);
    wait.command = std::move(gated.command);
    if (actor.is_dead()) reset(wait);
}

void DriverStage::answered(GateInbox::News&& news) {
    Held* wait = held_at({news.connection, news.number});
    if (wait == nullptr) {
        const std::uint32_t connection = news.connection;
        proxy_->post([connection](FaultProxy& proxy) { proxy.go_on(connection, LinkWay::reply); });
        return;
    }
    wait->replied = true;
    wait->frame = std::move(news.frame);
}

/// Frames on that connection are lost; its client learns of it by itself.
void DriverStage::broke(std::uint32_t connection) {
    for (const auto& wait : waits_) {
        if (wait->name.connection != connection || wait->is_timer || wait->node == kOracle)
            continue;
        wait->over = wait->told = true;
        wait->in_network = wait->reply_held = false;
    }
}

}  // namespace locklab
