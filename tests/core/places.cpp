#include "tests/core/places.h"

#include <cstdlib>

namespace locklab {

std::string source_dir() { return LOCKLAB_SOURCE_DIR; }
std::string built_program() { return LOCKLAB_PROGRAM; }
std::string corpus_driver() { return LOCKLAB_CORPUS_DRIVER; }
std::string mpirun() { return LOCKLAB_MPIRUN; }
bool is_night() { return std::getenv("LOCKLAB_NIGHT") != nullptr; }

}  // namespace locklab
