#include "tests/core/places.h"

namespace locklab {

std::string source_dir() { return LOCKLAB_SOURCE_DIR; }
std::string built_program() { return LOCKLAB_PROGRAM; }
std::string corpus_driver() { return LOCKLAB_CORPUS_DRIVER; }
std::string mpirun() { return LOCKLAB_MPIRUN; }

}  // namespace locklab
