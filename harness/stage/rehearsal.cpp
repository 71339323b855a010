#include "harness/stage/rehearsal.h"

#include <algorithm>
#include <iterator>

#include "harness/stage/sentence_pattern.h"
#include "harness/stage/sim_world.h"

namespace locklab {

namespace {

/// A lock that needs more moves than this will never finish.
constexpr int kLongestRehearsal = 2'000;

/// Makes no faults; keeps the commands that each client sends.
class Listener final : public CommandFaults {
public:
    CommandFault on_send(const Wait& wait) override {
        const bool is_none = wait.node == kOracle || wait.command.empty();
        if (is_none) return CommandFault::none;
        const std::string word(wait.command.script() != nullptr ? "EVAL" : wait.command[0]);
        (wait.task.is_worker() ? workers : watchdogs).insert(command_meant(word));
        return CommandFault::none;
    }
    std::set<std::string> workers;
    std::set<std::string> watchdogs;
};

}  // namespace

std::set<std::string> commands_of_watchdogs_alone(StageConfig config) {
    if (!config.algorithm->renews) return {};
    const Duration while_inside = 2 * config.options.renewal;
    config.clients = 1;
    config.unequal.clear();
    config.roles.resize(1);
    config.roles[0] = StageClient();
    config.roles[0].workload.wait = {WaitPolicy::Kind::fixed, config.options.renewal};
    config.roles[0].workload.job = {while_inside, while_inside};
    SimWorld world;
    Listener listener;
    Stage stage(std::move(config), world, listener);
    stage.start(ClientId{0});
    for (int moves = 0; moves < kLongestRehearsal && stage.progress(ClientId{0}).releases == 0;
         ++moves) {
        const std::vector<Cue> possible = stage.moves();
        if (!possible.empty()) {
            stage.make(possible.front());
            continue;
        }
        const auto due = stage.next_due([](const Wait&) { return true; });
        if (!due) break;
        stage.pass_until(*due);
    }
    std::set<std::string> alone;
    std::ranges::set_difference(listener.watchdogs, listener.workers,
                                std::inserter(alone, alone.end()));
    return alone;
}

}  // namespace locklab
