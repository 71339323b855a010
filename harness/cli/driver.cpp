// locklab driver: one of our own locks as a driver process, controlled over stdin and stdout.

#include "harness/cli/command_line.h"
#include "harness/cli/driver_subjects.h"
#include "harness/foreign/own_driver.h"

namespace locklab {

int driver_verb(const Arguments& arguments) {
    if (arguments.size() != 1) {
        throw UsageError("which lock? right would be: locklab driver set_nx_lua");
    }
    return drive_own_lock(lock_of_driver(arguments[0]));
}

}  // namespace locklab
