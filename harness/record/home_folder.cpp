#include "harness/record/home_folder.h"

#include <cstdlib>

namespace locklab {

std::string home_folder() {
    const char* home = std::getenv("LOCKLAB_HOME");
    return home != nullptr && *home != '\0' ? home : ".";
}

}  // namespace locklab
