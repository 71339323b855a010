#include "harness/bench/noise.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace locklab {

namespace {

/// Shares of processor time beyond which other work disturbs the measurement.
constexpr double kMostOthers = 0.05;
constexpr double kMostStolen = 0.01;

double used_by(int whom) {
    rusage usage{};
    getrusage(whom, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double own_time() { return used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN); }

std::string percent(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
    return text;
}

}  // namespace

NoiseMeter::NoiseMeter() : began_(times()), own_began_(own_time()) {}

/// The first line of /proc/stat: user nice system idle iowait irq softirq steal (proc(5)).
NoiseMeter::Times NoiseMeter::times() {
    enum { idle = 3, iowait = 4, steal = 7, fields = 8 };
    std::ifstream file("/proc/stat");
    std::string name;
    file >> name;
    Times times;
    double ticks = 0;
    for (int i = 0; i < fields && file >> ticks; ++i) {
        const double seconds = ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
        times.all += seconds;
        if (i == steal) times.stolen = seconds;
        if (i != idle && i != iowait && i != steal) times.busy += seconds;
    }
    return times;
}

std::vector<std::string> NoiseMeter::sentences(double server_s) const {
    std::vector<std::string> sentences;
    const Times now = times();
    const double all = std::max(now.all - began_.all, 1e-3);
    const double own = own_time() - own_began_ + server_s;
    const double others = (now.busy - began_.busy - own) / all;
    if (others > kMostOthers) {
        sentences.push_back("Other programs used " + percent(others) + " of the processors' time.");
    }
    const double stolen = (now.stolen - began_.stolen) / all;
    if (stolen > kMostStolen) {
        sentences.push_back("The hypervisor gave " + percent(stolen) +
                            " of the processors' time to other machines.");
    }
    return sentences;
}

}  // namespace locklab
