// Where the build has put what tests start and read. Only places.cpp knows paths of this machine,
// so that a compiler cache knows every other file again in another folder.
#pragma once

#include <string>

namespace locklab {

std::string source_dir();     ///< the top folder of the sources
std::string built_program();  ///< the program locklab
std::string corpus_driver();  ///< the driver of the corpus' locks
std::string mpirun();         ///< empty where CMake did not find MPI
bool is_night();              ///< LOCKLAB_NIGHT is set: random walks take longer

}  // namespace locklab
