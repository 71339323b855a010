// What else goes on on this machine while it is measured.
#pragma once

#include <string>
#include <vector>

namespace locklab {

class NoiseMeter {
public:
    NoiseMeter();
    /// One sentence for each thing that disturbed what was measured since this was made.
    std::vector<std::string> sentences() const;

private:
    struct Ticks {
        double all = 0;
        double stolen = 0;  ///< by the hypervisor, for other machines
    };
    static Ticks ticks();

    const double load_;
    const Ticks began_;
};

}  // namespace locklab
