// A library that is a few lines of Python, which speak the protocol of drivers.
#pragma once

#include "harness/foreign/library.h"

namespace locklab {

/// It says of itself that it is "odd", version 1.
inline Library python_library(const char* lines) {
    Library library;
    library.name = library.library = "odd";
    library.version = "1";
    library.installed = "/";
    library.run = {"/usr/bin/python3", "-c", lines};
    return library;
}

}  // namespace locklab
