#include "harness/cli/threshold_report.h"

#include <nlohmann/json.hpp>

#include "harness/cli/proof_report.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"

namespace locklab {

namespace {

std::string joined(const std::vector<FaultBudget>& sets) {
    std::string text;
    for (const FaultBudget& set : sets) text += (text.empty() ? "" : "; ") + to_string(set);
    return text;
}

std::string_view name_of(Goal goal) {
    return goal == Goal::progress ? "progress" : "mutual exclusion";
}

nlohmann::ordered_json names(const std::vector<FaultBudget>& sets) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const FaultBudget& set : sets) list.push_back(to_string(set));
    return list;
}

}  // namespace

std::string thresholds_text(const Thresholds& found) {
    std::string text =
        std::string(found.algorithm->name) + ", " + std::string(name_of(found.goal)) + "\n";
    if (found.minimal.empty()) text += "  nothing that was searched breaks it\n";
    for (const Threshold& threshold : found.minimal) {
        text += "  broken by " + to_string(threshold.faults) + ": " +
                std::to_string(threshold.witness.steps.size()) + " steps";
        if (threshold.least) {
            text += "; from " + to_string(*threshold.least) + " on";
            const bool longer = threshold.least_steps > threshold.witness.steps.size();
            if (longer) text += ", then in " + std::to_string(threshold.least_steps);
        }
        text += "\n";
    }
    text += "  harmless, exhausted: " + std::to_string(found.harmless.size()) + " sets";
    if (found.harmless.size() <= 14) text += " (" + joined(found.harmless) + ")";
    text += "\n";
    if (!found.harmless_briefly.empty()) {
        text += "  harmless in " + search_text(brief_searches(found.searches).front()) +
                " (they break exclusion): " + std::to_string(found.harmless_briefly.size()) +
                " sets\n";
    }
    for (const UnknownSet& set : found.unknown) {
        text += "  not known: " + to_string(set.faults) + " (" + set.why + ")\n";
    }
    if (!found.complete) text += "  interrupted: larger sets were not searched\n";
    return text;
}

std::vector<Explored> threshold_witnesses(const Thresholds& found,
                                          const std::filesystem::path& folder) {
    std::vector<Explored> witnesses;
    for (const Threshold& threshold : found.minimal) {
        Explored& explored = witnesses.emplace_back();
        explored.algorithm = found.algorithm;
        explored.bounds = threshold.bounds;
        explored.result.verdict = threshold.verdict;
        explored.result.witness = threshold.witness;
        show_witness(explored, folder);
    }
    return witnesses;
}

nlohmann::ordered_json thresholds_json(const Thresholds& found,
                                       const std::vector<Explored>& witnesses) {
    nlohmann::ordered_json json;
    json["algorithm"] = found.algorithm->name;
    json["goal"] = found.goal == Goal::progress ? "progress" : "exclusion";
    const Bounds& bounds = found.searches.front();
    json["clients"] = bounds.clients;
    json["rounds"] = bounds.rounds;
    json["attempts"] = bounds.attempts;
    json["searches"] = nlohmann::ordered_json::array();
    for (const Bounds& search : found.searches) json["searches"].push_back(search_json(search));
    json["lengths"] = bounds.any_length ? "any" : "exact";
    json["ttl_us"] = us(bounds.options.ttl);
    json["job_us"] = us(bounds.job);
    json["wait_us"] = us(bounds.wait);
    json["command_timeout_us"] = us(bounds.command_timeout);
    Bounds late = bounds;
    late.faults[Hazard::delay_reply] = 1;
    json["patient_timeout_us"] = us(late.timeout());
    json["reply_delay_us"] = us(late.reply_delay());
    json["slow_job_us"] = us(bounds.slow_job);
    json["pause_us"] = us(bounds.pause);
    json["delay_us"] = us(bounds.delay);
    json["clock_us"] = us(bounds.clock);
    json["minimal"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < found.minimal.size(); ++i) {
        const Threshold& threshold = found.minimal[i];
        nlohmann::ordered_json row;
        row["faults"] = to_string(threshold.faults);
        row["verdict"] = name_of(threshold.verdict);
        row["steps"] = threshold.witness.steps.size();
        row["least_us"] = nullptr;
        if (threshold.least) row["least_us"] = us(*threshold.least);
        row["least_steps"] = nullptr;
        if (threshold.least) row["least_steps"] = threshold.least_steps;
        row["cause"] = cause_of(witnesses[i]);
        row["witness"] = witnesses[i].trace;
        row["replay"] = witnesses[i].replay;
        row.update(search_json(threshold.bounds));
        json["minimal"].push_back(row);
    }
    json["harmless"] = names(found.harmless);
    json["harmless_briefly"] = names(found.harmless_briefly);
    json["brief_searches"] = nlohmann::ordered_json::array();
    for (const Bounds& search : brief_searches(found.searches)) {
        json["brief_searches"].push_back(search_json(search));
    }
    json["unknown"] = nlohmann::ordered_json::array();
    json["why_unknown"] = nlohmann::ordered_json::array();
    for (const UnknownSet& set : found.unknown) {
        json["unknown"].push_back(to_string(set.faults));
        json["why_unknown"].push_back(set.why);
    }
    json["coverage"] = coverage_json(found.coverage);
    json["complete"] = found.complete;
    return json;
}

nlohmann::ordered_json threshold_sets(const nlohmann::ordered_json& found) {
    nlohmann::ordered_json sets = nlohmann::ordered_json::array();
    for (const nlohmann::ordered_json& row : found) {
        nlohmann::ordered_json set;
        for (const char* key : {"algorithm", "goal", "clients", "rounds", "attempts"}) {
            set[key] = row.at(key);
        }
        for (const nlohmann::ordered_json& minimal : row.at("minimal")) {
            sets.push_back(set);
            sets.back().update(minimal);
        }
        const auto add = [&](const char* key, Verdict verdict) {
            for (const nlohmann::ordered_json& faults : row.at(key)) {
                set["faults"] = faults;
                set["verdict"] = name_of(verdict);
                sets.push_back(set);
            }
        };
        add("harmless", Verdict::holds);
        add("unknown", Verdict::unknown);
        for (const char* bound : {"clients", "rounds", "attempts"}) {
            set[bound] = row.at("brief_searches").at(0).at(bound);
        }
        add("harmless_briefly", Verdict::holds);
    }
    return sets;
}

}  // namespace locklab
