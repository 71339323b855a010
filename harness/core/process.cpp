#include "harness/core/process.h"

namespace locklab {

ClientProcess make_process(ClientId first, const RunShape& shape, const Key& key, Host& host) {
    ClientProcess process;
    for (std::uint32_t i = 0; i < shape.tasks; ++i) {
        const ClientId id{first.value + i};
        Machine* const shared = i == 0 ? nullptr : process.machines[0].get();
        process.machines.push_back(std::make_unique<Machine>(
            id, host, its_mode(id, *shape.algorithm, shape.unequal), shared));
    }
    process.locks = make_locks(*shape.algorithm, *process.machines[0], key,
                               its_options(first, shape.options, shape.unequal), shape.resources);
    return process;
}

}  // namespace locklab
