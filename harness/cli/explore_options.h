// The options of `locklab explore`.
#pragma once

#include "harness/cli/command_line.h"

namespace locklab {

OptionList explore_options();

}  // namespace locklab
