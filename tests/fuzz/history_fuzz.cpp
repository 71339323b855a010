// Any bytes as a history: refused with one sentence, or judged, and the same once it was written
// and read again.

#include <cstdint>
#include <sstream>

#include "harness/check/judge.h"
#include "harness/core/assert.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"

using namespace locklab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try {
        const History history = read_history(in, "input");
        const Judgement judgement = judge(history);
        static_cast<void>(to_text(judgement));
        static_cast<void>(judgement_json(judgement).dump());
        std::ostringstream first;
        write_history(first, history);
        std::istringstream again(first.str());
        std::ostringstream second;
        write_history(second, read_history(again, "what was written"));
        LOCKLAB_ASSERT(first.str() == second.str());
    } catch (const FormatError& error) {
        LOCKLAB_ASSERT(std::string_view(error.what()).starts_with("input:"));
    }
    return 0;
}
