#include "harness/suite/run_row.h"

#include "harness/core/duration_text.h"

namespace locklab {

template <class Io, RowOf<IdentityRow> Row>
void fields(Io& io, Row& row) {
    io("program", row.program);
    io("mode", row.mode);
    io("sim_runs", row.sim_runs);
    io("live_runs", row.live_runs);
    io("seed", row.seed);
    io("redis", row.redis);
    io.if_any("shard", row.shard);
}

template <class Io, RowOf<MissingSection> Row>
void fields(Io& io, Row& row) {
    io("part", row.part);
    io("why", row.why);
}

template <class Io, RowOf<LeftOutSection> Row>
void fields(Io& io, Row& row) {
    io("name", row.name);
    io("title", row.title);
}

template <class Io, RowOf<SectionTime> Row>
void fields(Io& io, Row& row) {
    io("name", row.name);
    io("seconds", row.seconds);
    io("processor_seconds", row.processor_seconds);
    io.if_any("commit", row.commit);
    io.if_any("started", row.started);
}

template <class Io, RowOf<WorldRow> Row>
void fields(Io& io, Row& row) {
    io("clients", row.clients);
    io("grants_per_run", row.grants_per_run);
    io("ttl_us", row.ttl);
    io("retry_us", row.retry);
    io("command_timeout_us", row.command_timeout);
    io("patience_us", row.patience);
    io("job", row.job);
    io("think", row.think);
    io("runs_per_cell", row.runs_per_cell);
    io.if_any("latency", row.latency);
    io.if_any("server", row.server);
}

template <class Io, RowOf<RunRow::Parameters> Row>
void fields(Io& io, Row& row) {
    io("sim", row.sim);
    io("live", row.live);
}

template <class Io, RowOf<RunRow> Row>
void fields(Io& io, Row& row) {
    io("redis", row.redis);
    io("started", row.started);
    io.if_any("resumed", row.resumed);
    io("seconds", row.seconds);
    io("command", row.command);
    io("mode", row.mode);
    io("seed", row.seed);
    io("complete", row.complete);
    io("running", row.running);
    io("to_come", row.to_come);
    io("left_out", row.left_out);
    io("took", row.took);
    io("missing", row.missing);
    io("parameters", row.parameters);
    io("identity", row.identity);
    io("finished", row.finished);
    io.if_any("merged_from", row.merged_from);
    io("files", row.files);
    io("digests", row.digests);
}

WorldRow world_row(const RunSpec& spec) {
    const auto between = [](const DurationRange& times) {
        return to_string(times.least) + " to " + to_string(times.most);
    };
    WorldRow row;
    row.clients = spec.clients;
    row.grants_per_run = spec.grants;
    row.ttl = spec.options.ttl;
    row.retry = spec.options.retry;
    row.command_timeout = spec.command_timeout;
    row.patience = spec.patience;
    row.job = between(spec.workload.job) + ", uniform";
    row.think =
        between(spec.workload.think) + ", uniform; one of eight " + between(spec.workload.away);
    return row;
}

nlohmann::ordered_json to_json(const RunRow& row) { return written_row(row); }
void read_row(const nlohmann::ordered_json& json, RunRow& row) { read_fields(json, row); }
void read_row(const nlohmann::ordered_json& json, IdentityRow& row) { read_fields(json, row); }

}  // namespace locklab
