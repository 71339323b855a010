#include "harness/bench/workbench.h"

#include <algorithm>
#include <ctime>
#include <exception>

#include "harness/live/probe.h"

namespace locklab {

namespace {

constexpr Duration kSmallWindow = std::chrono::milliseconds(8);

double seconds_on(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

std::string_view name_of(Transport transport) {
    return transport == Transport::tcp ? "tcp" : "unix";
}

void Workbench::add(const std::string& name, std::function<void(benchmark::State&)> measure) {
    names_.push_back(name);
    const auto repetition = [this, name, measure = std::move(measure)](benchmark::State& state) {
        if (!stopped()) tell(name);
        try {
            if (doubtful_ && !version_.empty() && !stopped()) probe(endpoint(Transport::tcp));
            doubtful_ = false;
            for (auto _ : state) {
                if (!stopped()) measure(state);
            }
        } catch (const std::exception& error) {
            doubtful_ = true;
            state.SkipWithError(error.what());
        }
        // An interrupted run is no measurement.
        if (stopped()) state.SkipWithError("interrupted");
    };
    benchmark::RegisterBenchmark(name.c_str(), repetition)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
}

Duration Workbench::window(Duration usual) const {
    return small ? std::min(usual, kSmallWindow) : usual;
}

std::vector<Transport> Workbench::transports() const {
    if (!redis.empty()) return {Transport::tcp};
    return {Transport::unix_socket, Transport::tcp};
}

std::vector<Placement> Workbench::placements() const {
    if (!redis.empty()) return {Placement::free};
    return locklab::placements();
}

Endpoint Workbench::endpoint(Transport transport) {
    if (!redis.empty()) {
        const Endpoint somebodys = resolved(parse_endpoint(redis));
        if (version_.empty()) version_ = probe(somebodys);
        return somebodys;
    }
    server();
    return transport == Transport::tcp ? process_->port_endpoint() : process_->endpoint();
}

pid_t Workbench::server() {
    if (!redis.empty()) return 0;
    if (process_ == nullptr) {
        process_ = std::make_unique<RedisProcess>(RedisProcess::Listen::on_port_too);
        version_ = probe(process_->endpoint());
    }
    return process_->pid();
}

double Workbench::server_seconds() const {
    clockid_t clock{};
    const bool known = process_ != nullptr && clock_getcpuclockid(process_->pid(), &clock) == 0;
    return known ? seconds_on(clock) : 0;
}

ProcessorTime::ProcessorTime(pid_t server) {
    knows_server_ = server != 0 && clock_getcpuclockid(server, &server_clock_) == 0;
    client_began_ = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
    if (knows_server_) server_began_ = seconds_on(server_clock_);
}

double ProcessorTime::client() const {
    return seconds_on(CLOCK_PROCESS_CPUTIME_ID) - client_began_;
}

double ProcessorTime::server() const {
    return knows_server_ ? seconds_on(server_clock_) - server_began_ : 0;
}

}  // namespace locklab
