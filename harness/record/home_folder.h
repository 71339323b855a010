// The folder of the checkout with plots/, scenarios/ and results/.
#pragma once

#include <string>

namespace locklab {

/// LOCKLAB_HOME, else the current folder.
std::string home_folder();

}  // namespace locklab
