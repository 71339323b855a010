#include "harness/play/find_config.h"

namespace locklab {

std::optional<ClientId> waiter_of(const Find& find) {
    if (find.newcomer) return ClientId{find.bounds.clients};
    return find.waiter;
}

CommandFault calm_way(const Find& find) {
    return find.bounds.latency > Duration::zero() ? CommandFault::travels : CommandFault::none;
}

void describe(Scene& scene, const Find& find) {
    scene.tells_latency = find.bounds.latency > Duration::zero();
    for (std::uint32_t i = 0; i < find.clients(); ++i) {
        scene.names.emplace_back(1, static_cast<char>('A' + i));
    }
}

std::string evicted_by(const Find& find, const Step& step, const Key& own) {
    if (step.ms == 0) return {};
    const std::string& searched = find.bounds.keys.front();
    const std::string name = find.evicted_keys()[step.ms];
    return name.starts_with(searched) ? own.name + name.substr(searched.size()) : name;
}

StageConfig config_for(const Find& find, const Key& key) {
    StageConfig config{{find.bounds.shape_for(*find.algorithm)}};
    config.clients = find.clients();
    config.key = key;
    config.tokens = find.tokens;
    StageClient client;
    client.workload.job = {find.bounds.job, find.bounds.job};
    client.workload.wait = {WaitPolicy::Kind::fixed, find.bounds.wait};
    client.workload.takes_again =
        find.bounds.takes_again ? Workload::Again::always : Workload::Again::never;
    config.roles.assign(config.clients, client);
    for (std::uint32_t i = 0; i < find.bounds.clients; ++i) {
        config.roles[i].clock_offset = find.clock_offsets[i];
        config.roles[i].workload = its_workload(ClientId{i}, client.workload, config.unequal);
    }
    const std::optional<ClientId> waiter = waiter_of(find);
    if (waiter) {
        const Duration wait = newcomer_bounds(find.bounds).wait;
        config.roles[waiter->value].workload.wait = {WaitPolicy::Kind::fixed, wait};
    }
    return config;
}

}  // namespace locklab
