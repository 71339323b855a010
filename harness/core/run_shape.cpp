#include "harness/core/run_shape.h"

namespace locklab {

HistoryHead head_of(const RunShape& shape, const Key& key) {
    HistoryHead head;
    head.algorithm = shape.algorithm->name;
    head.clients = shape.workers();
    head.tasks = shape.tasks;
    head.key = key.name;
    head.server = shape.algorithm->server;
    head.clock_unit = shape.options.clock_unit;
    head.tells_within =
        told_within(*shape.algorithm, shape.options, shape.unequal, shape.command_timeout);
    head.permits = shape.algorithm->permits;
    head.resources = shape.resources;
    head.unequal = shape.unequal;
    return head;
}

}  // namespace locklab
