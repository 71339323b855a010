#include "harness/cli/explore_drivers_text.h"

#include <cmath>
#include <cstdio>

#include "harness/check/interval.h"
#include "harness/check/judge.h"
#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/core/topology.h"
#include "harness/record/typed.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

std::string topology_text(const PlaySpec& spec) {
    return spec.nodes == 1 ? "" : " --topology " + to_string(Topology{spec.nodes});
}

std::string replay_of(const std::string& name, const PlaySpec& spec, const VirtualFind& find) {
    return typed_program() + " explore " + name + " --clients " + std::to_string(spec.clients) +
           topology_text(spec) + " --rounds " + std::to_string(spec.rounds) + " --attempts " +
           std::to_string(spec.attempts) + " --faults " + to_string(spec.faults) + " --seed " +
           std::to_string(find.seed) + " --choices " + to_string(find.deviations);
}

std::string replay_of(const SearchedDrivers& searched) {
    return replay_of(searched.name, searched.spec, *searched.result.find);
}

std::string percent(double share) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.3g %%", 100 * share);
    return text.data();
}

/// "2 clients in 2 rounds, TTL 2 s".
std::string size_text(const PlaySpec& spec) {
    return counted(spec.clients, "client") + " in " + counted(spec.rounds, "round") + ", " +
           (spec.nodes == 1 ? "" : std::to_string(spec.nodes) + " servers, ") + "TTL " +
           to_string(spec.ttl);
}

std::string_view name_of(PlayOrder order) { return kPlayOrders[static_cast<std::size_t>(order)]; }

std::string check_of(const SearchedDrivers& searched) {
    if (searched.file.empty()) return "";
    return "check: " + typed_program() + " check " + typed(searched.file) + "\n";
}

/// Result of the counterexample in real time.
std::string real_text(const RealReplay& real) {
    if (real.proved) {
        return "in real time, with nothing preloaded: an overlap too, in play " +
               std::to_string(real.plays) + "\n";
    }
    std::string text = "in real time no overlap was proved in " + counted(real.plays, "play") +
                       ", which shows nothing";
    if (!real.missing.empty()) text += ": there was no moment for its " + real.missing;
    if (!real.trouble.empty()) text += ": " + real.trouble;
    return text + "\n";
}

/// "minimised: 1 of 9 non-default choices is needed".
std::string needed_text(std::size_t found_with, std::size_t needed) {
    if (found_with == 0) return "all of its choices are the defaults";
    return "minimised: " + std::to_string(needed) + " of " +
           counted(found_with, "non-default choice") + (needed == 1 ? " is" : " are") + " needed";
}

/// For a counterexample that its choices do not reproduce.
std::string lone_find_text(const SearchedDrivers& searched) {
    const VirtualFind& find = *searched.result.find;
    const std::string why = find.was_stopped
                                ? "it was not played again: the search was stopped"
                                : "it cannot be replayed from its choices, since the driver does "
                                  "not do the same when they are played again: it keeps state "
                                  "over 'open', or uses threads or another source of chance";
    std::string text = "violated: play " + std::to_string(searched.result.plays) +
                       " proves an overlap, and this is its history; " + why + "\n";
    if (!find.trouble.empty()) text += "when played again: " + find.trouble + "\n";
    text += real_text(searched.real);
    return text + "\n" + to_text(timeline_of(find)) + "\n" + check_of(searched);
}

std::string find_text(const SearchedDrivers& searched) {
    const VirtualFind& find = *searched.result.find;
    if (!find.proves_again) return lone_find_text(searched);
    std::string text =
        "violated: play " + std::to_string(searched.result.plays) + " proves an overlap; " +
        needed_text(find.found_with, find.deviations.size()) + " (found in " +
        counted(find.shrunk_in, "more play") + "); played again, it is " +
        (find.came_again ? "the same to the byte\n" : "an overlap too, but not the same history\n");
    text += real_text(searched.real);
    text += "\n" + to_text(timeline_of(find)) + "\n";
    text += "replay: " + replay_of(searched) + "\n";
    return text + check_of(searched);
}

std::string unknown_text(const SearchedDrivers& searched) {
    const VirtualSearchResult& result = searched.result;
    const std::string why = why_nothing(result, searched.spec.faults);
    const std::uint64_t plays = why.empty() ? result.whole() : result.plays;
    const std::string size = counted(plays, "play") + " (" + counted(result.grants, "grant") +
                             ", " + counted(result.choices, "choice") + ")";
    if (!why.empty()) return "unknown: in " + size + " " + why + ": that shows nothing\n";
    std::string text = "unknown: no overlap was proved in " + size;
    if (searched.is_replay) return text + "\n";
    if (searched.order != PlayOrder::delay) {
        text += "; of such plays at most " + percent(share_interval(0, result.whole()).high) +
                " prove one (95 %)";
    } else if (result.all_played) {
        text += ", which are all with so few non-default choices";
    }
    return text + "\n";
}

}  // namespace

Timeline timeline_of(const VirtualFind& find) {
    Scene scene;
    scene.history = find.play.history;
    for (std::uint32_t i = 0; i < scene.history.clients; ++i) {
        scene.names.push_back(link_name(ClientId{i}));
    }
    return make_timeline(scene);
}

std::string text_of(const SearchedDrivers& searched) {
    const VirtualSearchResult& result = searched.result;
    const PlaySpec& spec = searched.spec;
    const std::string orders =
        searched.is_replay ? "choices as given" : std::string(name_of(searched.order)) + " orders";
    std::string text = searched.name + " in virtual time: " + size_text(spec) + ", faults " +
                       to_string(spec.faults) + ", " + orders + ", seed " +
                       std::to_string(spec.seed) + "\n";
    if (result.find) return text + find_text(searched);
    text += unknown_text(searched);
    text += "overlaps are looked for, which the order of answers proves, and no fencing tokens\n";
    if (result.interrupted) text += "interrupted: no more plays were made\n";
    text += counted(static_cast<std::uint64_t>(std::lround(searched.plays_per_minute)), "play") +
            " a minute\n";
    if (why_nothing(result, searched.spec.faults).empty() && result.not_whole > 0) {
        text += counted(result.not_whole, "more play") + " went on for too long, and " +
                (result.not_whole == 1 ? "was ended: it does not count\n"
                                       : "were ended: they do not count\n");
    }
    if (result.hung > 0) {
        text += "in " + counted(result.hung, "play") +
                " a client waited to the end for an answer that was lost\n";
    }
    if (result.hangs.count > 0) text += to_text(result.hangs) + "\n";
    if (result.died > 0) {
        text += "its process ended by itself in " + counted(result.died, "play") +
                ", as that of its user would; the first: " + result.how_it_died + "\n";
    }
    text += result.lost.text("play");
    if (!result.first_error.empty()) text += "the first error: " + result.first_error + "\n";
    return text;
}

Json json_of(const SearchedDrivers& searched) {
    const VirtualSearchResult& result = searched.result;
    const Verdict verdict = result.find ? Verdict::violated : Verdict::unknown;
    Json json{{"algorithm", searched.name},
              {"world", "virtual"},
              {"strategy", name_of(searched.order)},
              {"clients", searched.spec.clients},
              {"rounds", searched.spec.rounds},
              {"attempts", searched.spec.attempts},
              {"faults", to_string(searched.spec.faults)},
              {"ttl_us", us(searched.spec.ttl)},
              {"seed", searched.spec.seed},
              {"verdict", name_of(verdict)},
              {"plays", result.plays},
              {"choices", result.choices},
              {"grants", result.grants},
              {"inside", result.inside},
              {"interrupted", result.interrupted},
              {"plays_cut_short", result.not_whole},
              {"plays_hung", result.hung},
              {"plays_in_which_a_process_died", result.died},
              {"plays_lost_with_their_driver", result.lost.count},
              {"plays_per_minute", searched.plays_per_minute}};
    json["hangs"] = {{"count", result.hangs.count},
                     {"gone_on", result.hangs.gone_on},
                     {"longest_wait_us", us(result.hangs.longest_wait)}};
    if (searched.spec.nodes > 1) json["topology"] = to_string(Topology{searched.spec.nodes});
    const std::string why = why_nothing(result, searched.spec.faults);
    if (!result.find && !why.empty()) json["why"] = why;
    const bool is_bounded =
        why.empty() && !searched.is_replay && searched.order != PlayOrder::delay;
    if (!result.find && is_bounded) {
        json["violated_share_high"] = share_interval(0, result.whole()).high;
    }
    if (searched.order == PlayOrder::delay) json["all_played"] = result.all_played;
    if (!result.find) return json;
    json["find"] = {
        {"choices", to_string(result.find->deviations)},
        {"seed", result.find->seed},
        {"proves_again", result.find->proves_again},
        {"came_again", result.find->came_again},
        {"real_time", {{"plays", searched.real.plays}, {"proved", searched.real.proved}}},
        {"file", searched.file},
        {"replay", result.find->proves_again ? replay_of(searched) : ""}};
    return json;
}

std::string text_of(const std::string& name, const VirtualSearchLimits& limits,
                    const DriverThresholds& found) {
    std::string text = name + " in virtual time, which least sets of faults break it";
    const std::vector<SearchedSet>* any = &found.not_seen;
    for (const auto* sets : {&found.unknown, &found.broken}) any = any->empty() ? sets : any;
    if (!any->empty()) {
        text += ": " + size_text(any->front().spec) + ", " + std::string(name_of(limits.order)) +
                " orders, seed " + std::to_string(any->front().spec.seed);
    }
    text += "\n";
    for (const SearchedSet& set : found.broken) {
        text += "  broken by " + to_string(set.spec.faults) + ": play " +
                std::to_string(set.result.plays) +
                " proves an overlap\n    replay: " + replay_of(name, set.spec, *set.result.find) +
                "\n";
    }
    if (found.broken.empty()) text += "  no overlap was proved under any of these sets\n";
    for (const SearchedSet& set : found.not_seen) {
        const std::uint64_t plays = set.result.whole();
        text += "  not seen under " + to_string(set.spec.faults) + ": " + counted(plays, "play") +
                ", of such plays at most " + percent(share_interval(0, plays).high) +
                " prove one (95 %)\n";
    }
    for (const SearchedSet& set : found.unknown) {
        text += "  not known: " + to_string(set.spec.faults) + " (" + set.why_unknown + ")\n";
    }
    if (!found.complete) text += "  interrupted: the sets that follow were not searched\n";
    return text;
}

Json json_of(const std::string& name, const VirtualSearchLimits& limits,
             const DriverThresholds& found) {
    Json json{{"algorithm", name},
              {"world", "virtual"},
              {"strategy", name_of(limits.order)},
              {"plays_of_a_set", limits.plays},
              {"complete", found.complete},
              {"broken", Json::array()},
              {"not_seen", Json::array()},
              {"unknown", Json::array()}};
    const auto row = [](const SearchedSet& set) {
        return Json{{"faults", to_string(set.spec.faults)}, {"plays", set.result.plays}};
    };
    for (const SearchedSet& set : found.broken) {
        json["broken"].push_back(row(set));
        json["broken"].back()["choices"] = to_string(set.result.find->deviations);
        json["broken"].back()["replay"] = replay_of(name, set.spec, *set.result.find);
    }
    for (const SearchedSet& set : found.not_seen) {
        json["not_seen"].push_back(row(set));
        json["not_seen"].back()["violated_share_high"] = share_interval(0, set.result.whole()).high;
    }
    for (const SearchedSet& set : found.unknown) {
        json["unknown"].push_back(row(set));
        json["unknown"].back()["why"] = set.why_unknown;
    }
    return json;
}

}  // namespace locklab
