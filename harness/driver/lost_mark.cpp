#include "harness/driver/lost_mark.h"

namespace locklab {

std::string lost_mark(const DriverProcess& driver, const std::string& library) {
    if (driver.bears_mark()) return {};
    return "The driver of " + library +
           " has changed its limit of file locks (RLIMIT_LOCKS, 'ulimit -x'), by which locklab "
           "finds all of its processes to pause and to end them; right would be to leave it as it "
           "was.";
}

}  // namespace locklab
