// Where the files of a checkout are: plots/, scenarios/, results/.
#pragma once

#include <string>

namespace locklab {

/// LOCKLAB_HOME, else the current folder.
std::string home_folder();

}  // namespace locklab
