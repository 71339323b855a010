// The verbs of the command line, one file each, and the list for main() and its help.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

using Arguments = std::vector<std::string>;

int demo_verb(const Arguments& arguments);
int list_verb(const Arguments& arguments);
int suite_verb(const Arguments& arguments);
int scenario_verb(const Arguments& arguments);
int explore_verb(const Arguments& arguments);
int campaign_verb(const Arguments& arguments);
int failovers_verb(const Arguments& arguments);
int replay_verb(const Arguments& arguments);
int check_verb(const Arguments& arguments);
int proxy_verb(const Arguments& arguments);
int libraries_verb(const Arguments& arguments);
int servers_verb(const Arguments& arguments);
int bench_verb(const Arguments& arguments);
int report_verb(const Arguments& arguments);
int compare_verb(const Arguments& arguments);
int merge_verb(const Arguments& arguments);
int completion_verb(const Arguments& arguments);
int test_verb(const Arguments& arguments);
int driver_verb(const Arguments& arguments);

struct Verb {
    std::string_view name;
    std::string_view arguments;
    std::string_view meaning;
    int (*run)(const Arguments& arguments);
};

inline constexpr std::array<Verb, 18> kVerbs{{
    {"demo", "", "one race, its fix, and one search, in a few seconds", demo_verb},
    {"list", "[algorithms|libraries|scenarios|faults|topologies]", "what there is to run",
     list_verb},
    {"suite", "[--quick|--full] [--out DIR]", "everything below, both worlds, and the report",
     suite_verb},
    {"scenario", "NAME|all [--algorithm A|lib:NAME] [--world sim|live]",
     "a race of the articles, step by step, with any lock", scenario_verb},
    {"explore", "A|all|lib:NAME [--clients N] [--rounds R] [--faults pause=1,...]",
     "breaks a lock with a shortest witness, or proves that within bounds nothing does",
     explore_verb},
    {"campaign", "A|all|lib:NAME|libraries [--faults pause=1,...]",
     "random runs of a lock under faults, counted", campaign_verb},
    {"failovers", "[--lag 0ms,5ms,50ms] [--safeguards none,wait,min_replicas] [--runs N]",
     "how many locks a failover by real Sentinels loses, beside the model", failovers_verb},
    {"replay", "TRACE", "one simulated run again, to the byte", replay_verb},
    {"check", "HISTORY", "judges a history, ours or foreign", check_verb},
    {"proxy", "RULES", "stands between clients and servers, and strikes commands on their way",
     proxy_verb},
    {"libraries", "install|list|new|pin|test [NAME...]",
     "locks that are not ours, in other languages: installs, lists, begins and tries them",
     libraries_verb},
    {"servers", "install|list [NAME]", "servers that --server can name: of Redis, and of Valkey",
     servers_verb},
    {"bench", "[lib:NAME|libraries|driver:A] [google-benchmark flags]",
     "what locks cost, or libraries, and the harness", bench_verb},
    {"report", "RUN_DIR", "report.html and report.md from result files", report_verb},
    {"merge", "FOLDER...",
     "shards (--shard I/N of campaign, explore, suite) as the one run that they are", merge_verb},
    {"compare", "RUN_A RUN_B", "what changed between two runs, with intervals", compare_verb},
    {"completion", "", "for bash: source <(./locklab completion), and Tab completes",
     completion_verb},
    {"test", "[ctest flags]", "builds and runs every test (./locklab test, from a checkout)",
     test_verb},
}};

}  // namespace locklab
