#include "harness/bench/noise.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

namespace locklab {

namespace {

/// Of all processors; beyond it, others take what is measured.
constexpr double kMostLoad = 0.25;
constexpr double kMostStolen = 0.01;

double load_average() {
    std::ifstream file("/proc/loadavg");
    double load = 0;
    file >> load;
    return load;
}

std::string percent(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
    return text;
}

}  // namespace

NoiseMeter::NoiseMeter() : load_(load_average()), began_(ticks()) {}

/// The first line of /proc/stat: user nice system idle iowait irq softirq steal (proc(5)).
NoiseMeter::Ticks NoiseMeter::ticks() {
    std::ifstream file("/proc/stat");
    std::string name;
    file >> name;
    constexpr int kFields = 8;
    Ticks ticks;
    double value = 0;
    for (int i = 0; i < kFields && file >> value; ++i) {
        ticks.all += value;
        if (i == kFields - 1) ticks.stolen = value;
    }
    return ticks;
}

std::vector<std::string> NoiseMeter::sentences() const {
    std::vector<std::string> sentences;
    const unsigned processors = std::thread::hardware_concurrency();
    if (load_ > kMostLoad * processors) {
        std::ostringstream text;
        text << "When it began, other programs were running: the load average was " << load_
             << " on " << processors << " processors.";
        sentences.push_back(text.str());
    }
    const Ticks now = ticks();
    const double stolen = (now.stolen - began_.stolen) / std::max(1.0, now.all - began_.all);
    if (stolen > kMostStolen) {
        sentences.push_back("The hypervisor gave " + percent(stolen) +
                            " of the processors' time to other machines.");
    }
    return sentences;
}

}  // namespace locklab
