// Any bytes as a find of a search: refused with one sentence, or played on the stage, where its
// steps can be made or cannot.

#include <cstdint>

#include "harness/core/assert.h"
#include "harness/core/limits.h"
#include "harness/play/explore_trace.h"
#include "harness/play/step_player.h"
#include "harness/record/json_line.h"
#include "harness/stage/sim_world.h"

using namespace locklab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static_cast<void>(is_find_trace(text));
    try {
        const Find find = read_find(text, "input");
        const std::string written = to_json(find);
        LOCKLAB_ASSERT(to_json(read_find(written, "again")) == written);
        SimWorld world;
        static_cast<void>(play_steps(find, world, Key{"lock"}));
    } catch (const FormatError& error) {
        LOCKLAB_ASSERT(std::string_view(error.what()).starts_with("input:"));
    } catch (const std::invalid_argument&) {
        // A step that cannot be made.
    } catch (const BoundHit&) {
        // One that would never end.
    }
    return 0;
}
