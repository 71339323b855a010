#include "harness/foreign/find_record.h"

#include <sstream>

#include "harness/foreign/play_drives.h"
#include "harness/record/history_json.h"

namespace locklab {

namespace {

std::string text_of(const History& history) {
    std::ostringstream lines;
    write_history(lines, history);
    return lines.str();
}

}  // namespace

void record_find(VirtualWorld& world, const Subject& subject, const PlaySpec& spec,
                 VirtualFind& find, std::uint64_t run) {
    bool each_proves = true;
    const auto play = [&](PlayDetail detail) {
        GivenDrive drive(picks_of(find.deviations));
        PlayResult made = play_virtually(world, subject, spec, drive, run, detail);
        each_proves &= !made.proved.empty();
        if (find.play.proved.empty()) find.play = made;
        return made;
    };
    PlayResult shown = play(PlayDetail::answers);
    PlayResult told = play(PlayDetail::commands);
    const bool is_same =
        told.transcript == shown.transcript && told.proved.size() == shown.proved.size();
    const PlayDetail detail = is_same ? PlayDetail::commands : PlayDetail::answers;
    if (is_same) shown = std::move(told);
    const PlayResult again = play(detail);
    find.proves_again = each_proves;
    find.came_again = each_proves && text_of(shown.history) == text_of(again.history);
    if (!shown.proved.empty()) find.play = std::move(shown);
}

}  // namespace locklab
