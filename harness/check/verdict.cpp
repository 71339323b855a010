#include "harness/check/verdict.h"

namespace locklab {

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds: return "holds";
        case Verdict::violated: return "violated";
        case Verdict::stuck: return "stuck";
        case Verdict::unknown: return "unknown";
        case Verdict::not_seen: return "not seen";
    }
    return "?";
}

bool is_graver(Verdict one, Verdict other) {
    const auto gravity = [](Verdict verdict) {
        switch (verdict) {
            case Verdict::violated: return 4;
            case Verdict::stuck: return 3;
            case Verdict::unknown: return 2;
            case Verdict::not_seen: return 1;
            case Verdict::holds: break;
        }
        return 0;
    };
    return gravity(one) > gravity(other);
}

bool is_clean(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds:
        case Verdict::not_seen: return true;
        case Verdict::violated:
        case Verdict::stuck:
        case Verdict::unknown: break;
    }
    return false;
}

bool is_broken(Verdict verdict) {
    switch (verdict) {
        case Verdict::violated:
        case Verdict::stuck: return true;
        case Verdict::holds:
        case Verdict::not_seen:
        case Verdict::unknown: break;
    }
    return false;
}

}  // namespace locklab
