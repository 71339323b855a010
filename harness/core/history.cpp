#include "harness/core/history.h"

namespace locklab {

std::string name_of(ResourceId lock) { return "lock " + std::to_string(lock.value + 1); }

std::string_view name_of(Phase phase) {
    switch (phase) {
        case Phase::idle: return "idle";
        case Phase::acquire: return "acquire";
        case Phase::inside: return "inside";
        case Phase::release: return "release";
        case Phase::background: return "background";
    }
    return "?";
}

std::string_view name_of(Release outcome) {
    switch (outcome) {
        case Release::yes: return "yes";
        case Release::not_ours: return "not_ours";
        case Release::unknown: return "unknown";
        case Release::error: return "error";
    }
    return "?";
}

}  // namespace locklab
