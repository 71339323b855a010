// What exists must be listed, or nothing builds it, runs it, draws it or explains it.
#pragma once

#include "tests/tidy/source.h"

namespace locklab::tidy {

/// Every .cpp and every _test.py is named in the nearest CMakeLists.txt, unless that takes all of
/// its folder, and every folder that has one in the next one above.
Findings check_built(const std::vector<Source>& sources);

/// Every test lies in a folder named like the layer that it tests, and NAME_test.cpp in that which
/// has NAME.h or NAME.cpp. A few folders of tests/ are no layer's.
Findings check_mirrored(const std::vector<Source>& sources);

/// Every algorithm has its make_ function in a row of registry.cpp.
Findings check_algorithms_listed(const std::vector<Source>& sources);

/// Every figure is named in plots/figures/__init__.py.
Findings check_figures_listed(const std::vector<Source>& sources);

/// A fault's name stands in few files of harness/: what else there is to say of it, its row says.
Findings check_fault_names(const std::vector<Source>& sources);

/// Every folder at the top and in harness/ has a README.md.
Findings check_readmes(const std::vector<Source>& sources);

}  // namespace locklab::tidy
