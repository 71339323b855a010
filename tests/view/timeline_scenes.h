// Scenes written by hand, for the tests of timelines: races that every article tells of.
#pragma once

#include <string>
#include <utility>

#include "harness/core/scene.h"
#include "tests/check/story.h"

namespace locklab {

/// A story in which the key is looked at after every change, as a director does.
class SceneStory {
public:
    explicit SceneStory(std::string key = "lock") : story_("sim", std::move(key)) {}

    Story& story() { return story_; }
    SceneStory& at(std::int64_t t) {
        now_ = t;
        story_.at(t);
        return *this;
    }
    /// Sent, run and answered at one instant.
    SceneStory& call(std::uint32_t c, Phase phase, const Command& command, const Reply& reply) {
        send(c, phase, command);
        run(c, phase, command, reply);
        return answer(c, reply);
    }
    SceneStory& send(std::uint32_t c, Phase phase, const Command& command) {
        ++calls_;
        phase_ = phase;
        story_.sent(c, phase, calls_, command);
        ++events_;
        return *this;
    }
    SceneStory& run(std::uint32_t c, Phase phase, const Command& command, const Reply& reply,
                    std::int64_t ago = 0, std::uint64_t call = 0) {
        story_.ran(c, phase, command, reply, ago, call == 0 ? calls_ : call);
        ++events_;
        return *this;
    }
    SceneStory& answer(std::uint32_t c, const Reply& reply, std::uint64_t call = 0) {
        return note(c, phase_, event::Replied{call == 0 ? calls_ : call, reply});
    }
    SceneStory& note(std::uint32_t c, Phase phase, EventDetail detail) {
        story_.note(c, phase, std::move(detail));
        ++events_;
        return *this;
    }
    SceneStory& granted(std::uint32_t c, const std::string& token) {
        story_.granted(c, token);
        ++events_;
        return *this;
    }
    SceneStory& leaving(std::uint32_t c) { return note(c, Phase::inside, event::Leaving{}); }
    SceneStory& refused(std::uint32_t c) { return note(c, Phase::acquire, event::Refused{}); }
    SceneStory& failed(std::uint32_t c) { return note(c, Phase::acquire, event::Failed{"no"}); }
    SceneStory& released(std::uint32_t c, Release outcome = Release::yes) {
        return note(c, Phase::release, event::Released{outcome});
    }
    SceneStory& fault(std::uint32_t c, Phase phase, Hazard hazard, std::int64_t amount = 0,
                      std::uint64_t call = 0) {
        return note(c, phase, event::Fault{hazard, std::chrono::milliseconds(amount), call});
    }
    /// The key was seen after the last event. No `ttl`: it never expires.
    SceneStory& key(const std::string& value, std::int64_t ttl = 0) {
        std::optional<Duration> left;
        if (ttl > 0) left = std::chrono::milliseconds(ttl);
        scene_.key.push_back({events_ - 1, ms(now_), value, left});
        return *this;
    }
    SceneStory& no_key() {
        scene_.key.push_back({events_ - 1, ms(now_), std::nullopt, std::nullopt});
        return *this;
    }
    SceneStory& remark(const std::string& text) {
        scene_.remarks.push_back({events_, ms(now_), text});
        return *this;
    }
    SceneStory& named(std::string name) {
        scene_.names.push_back(std::move(name));
        return *this;
    }
    std::uint64_t last_call() const { return calls_; }

    Scene end(std::int64_t t, std::int64_t patience = 0) {
        scene_.history = story_.end(t, patience);
        return std::move(scene_);
    }

private:
    Story story_;
    Scene scene_;
    std::int64_t now_ = 0;
    std::size_t events_ = 0;
    Phase phase_ = Phase::idle;  ///< of the last command
    std::uint64_t calls_ = 0;
};

inline Command set_command(const char* token) {
    return Command::of("SET", "lock", token, "NX", "EX", 10);
}
inline Command del_command() { return Command::of("DEL", "lock"); }

/// A holds the lock longer than its time to live, and then deletes what is B's by now.
inline Scene slow_holder() {
    SceneStory scene;
    scene.named("A").named("B").named("C");
    scene.note(0, Phase::acquire, event::Wants{});
    scene.call(0, Phase::acquire, set_command("t1"), Reply::ok()).key("t1", 10'000);
    scene.granted(0, "t1").note(0, Phase::inside, event::Read{0});
    scene.at(11'000).note(1, Phase::acquire, event::Wants{});
    scene.call(1, Phase::acquire, set_command("t2"), Reply::ok()).key("t2", 10'000);
    scene.granted(1, "t2").note(1, Phase::inside, event::Read{0});
    scene.at(12'000).note(0, Phase::inside, event::Wrote{0, 0, 1, 1}).leaving(0);
    scene.call(0, Phase::release, del_command(), Reply::integer(1)).no_key().released(0);
    scene.at(12'500).note(2, Phase::acquire, event::Wants{});
    scene.call(2, Phase::acquire, set_command("t3"), Reply::ok()).key("t3", 10'000);
    scene.granted(2, "t3").note(2, Phase::inside, event::Read{1});
    scene.at(14'000).note(1, Phase::inside, event::Wrote{0, 1, 2, 2}).leaving(1);
    scene.call(1, Phase::release, del_command(), Reply::integer(1)).no_key().released(1);
    return scene.end(15'000);
}

/// A has no deadline on its key, and dies. B tries again and again.
inline Scene crashed_holder() {
    SceneStory scene;
    scene.named("A").named("B");
    const Command setnx = Command::of("SETNX", "lock", "1");
    scene.call(0, Phase::acquire, setnx, Reply::integer(1)).key("1").granted(0, "");
    scene.at(100).fault(0, Phase::inside, Hazard::crash);
    scene.at(200).note(1, Phase::acquire, event::Wants{});
    for (int i = 0; i < 400; ++i) {
        scene.at(200 + 250 * i).call(1, Phase::acquire, setnx, Reply::integer(0)).refused(1);
    }
    return scene.end(100'000, 60'000);
}

/// A's DEL is held up in the network, and hits B's key.
inline Scene late_delete() {
    SceneStory scene;
    scene.named("A").named("B");
    scene.call(0, Phase::acquire, set_command("t1"), Reply::ok()).key("t1", 10'000);
    scene.granted(0, "t1").at(1'000).leaving(0).send(0, Phase::release, del_command());
    const std::uint64_t held_up = scene.last_call();
    scene.fault(0, Phase::release, Hazard::delay_request, 0, held_up);
    scene.at(2'000).answer(0, Reply::unknown()).released(0, Release::unknown);
    scene.at(10'500).call(1, Phase::acquire, set_command("t2"), Reply::ok()).key("t2", 10'000);
    scene.granted(1, "t2").at(11'000);
    scene.run(0, Phase::release, del_command(), Reply::integer(1), 10'000, held_up).no_key();
    scene.remark("A's job is not done again");
    scene.at(11'200).call(0, Phase::acquire, set_command("t3"), Reply::ok()).key("t3", 10'000);
    scene.granted(0, "t3");
    return scene.end(12'000);
}

/// C stops between GET and GETSET, and takes the lock though B has taken it meanwhile.
inline Scene paused_between() {
    SceneStory scene;
    scene.named("A").named("B").named("C");
    const Command get = Command::of("GET", "lock");
    const auto getset = [](const char* value) { return Command::of("GETSET", "lock", value); };
    scene.call(0, Phase::acquire, Command::of("SETNX", "lock", "10000"), Reply::integer(1));
    scene.key("10000").granted(0, "").at(100).fault(0, Phase::inside, Hazard::crash);
    scene.at(10'100).call(2, Phase::acquire, get, Reply::bulk("10000"));
    scene.fault(2, Phase::acquire, Hazard::pause, 2'000);
    scene.at(10'200).call(1, Phase::acquire, get, Reply::bulk("10000"));
    scene.call(1, Phase::acquire, getset("20200"), Reply::bulk("10000")).key("20200");
    scene.granted(1, "").at(12'100);
    scene.call(2, Phase::acquire, getset("22100"), Reply::bulk("20200")).key("22100");
    scene.refused(2).at(13'000).leaving(1);
    scene.send(1, Phase::release, del_command());
    scene.note(2, Phase::acquire, event::Wants{});
    scene.run(1, Phase::release, del_command(), Reply::integer(1)).no_key();
    scene.answer(1, Reply::integer(1)).released(1);
    return scene.end(14'000);
}

/// Eight clients, a live run's long names, and characters that mean something to XML and Mermaid.
inline Scene crowd() {
    const std::string key = "locklab:0123456789abcdef:7";
    const std::string hex = "f00dfeedf00dfeedf00dfeedf00dfee";
    SceneStory scene(key);
    for (const char* name : {"A", "B", "<b>&\"x\"", "D;#", "E", "F", "G", "a long name"}) {
        scene.named(name);
    }
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::string token = hex + std::to_string(i);
        const auto set = Command::of("SET", key, token, "NX", "PX", 9000);
        scene.at(10 * i).call(i, Phase::acquire, set, i == 0 ? Reply::ok() : Reply::nil());
        if (i == 0) {
            scene.key(token, 9'000).granted(0, token);
        } else {
            scene.refused(i);
        }
    }
    scene.remark("a remark; with #special <things> & \"quotes\"\nand a new line");
    scene.at(500).fault(0, Phase::inside, Hazard::restart).no_key();
    const auto odd = Command::of("SET", key, "<script>;#1 & %%\"", "NX", "PX", 9000);
    scene.at(600).call(7, Phase::acquire, odd, Reply::ok()).key("<script>;#1 & %%\"", 9'000);
    scene.granted(7, "<script>;#1 & %%\"");
    scene.at(700).leaving(7).call(7, Phase::release, Command::eval(kDeleteOwn, Key{key}, hex + "0"),
                                  Reply::integer(0));
    scene.released(7, Release::not_ours);
    return scene.end(1'000);
}

/// The same with the ways in which a network fails, and a watchdog that renews.
inline Scene bad_network() {
    SceneStory scene;
    scene.named("A").named("B");
    const auto renew = Command::of("PEXPIRE", "lock", 10'000);
    scene.call(0, Phase::acquire, set_command("t1"), Reply::ok()).key("t1", 10'000);
    scene.granted(0, "t1");
    for (int i = 1; i <= 5; ++i) {
        scene.at(3'000 * i).call(0, Phase::background, renew, Reply::integer(1)).key("t1", 10'000);
    }
    scene.at(16'000).send(1, Phase::acquire, set_command("t2"));
    scene.fault(1, Phase::acquire, Hazard::lose_request, 0, scene.last_call());
    scene.at(17'000).answer(1, Reply::unknown()).note(1, Phase::acquire, event::Refused{true});
    scene.at(17'500).leaving(0).send(0, Phase::release, del_command());
    scene.fault(0, Phase::release, Hazard::retry, 0, scene.last_call());
    scene.run(0, Phase::release, del_command(), Reply::integer(1)).no_key().at(18'000);
    const std::uint64_t del = scene.last_call();
    scene.call(1, Phase::acquire, set_command("t3"), Reply::ok()).key("t3", 10'000);
    scene.granted(1, "t3").at(18'500);
    scene.run(0, Phase::release, del_command(), Reply::integer(1), 1'000, del).no_key();
    scene.answer(0, Reply::integer(1), del).released(0);
    scene.at(19'000).fault(1, Phase::inside, Hazard::clock_jump, -5'000);
    scene.fault(1, Phase::inside, Hazard::stall, 3'000);
    return scene.end(25'000);
}

}  // namespace locklab
