// Detects other work on this machine during a measurement.
#pragma once

#include <string>
#include <vector>

namespace locklab {

class NoiseMeter {
public:
    NoiseMeter();
    /// One sentence for each disturbance since construction. `server_s`: processor time of the
    /// server meanwhile, which is no disturbance.
    std::vector<std::string> sentences(double server_s) const;

private:
    /// Processor time of the whole machine, in seconds.
    struct Times {
        double all = 0;
        double busy = 0;
        double stolen = 0;  ///< by the hypervisor, for other machines
    };
    static Times times();

    const Times began_;
    const double own_began_;  ///< of this process and those that it has waited for
};

}  // namespace locklab
