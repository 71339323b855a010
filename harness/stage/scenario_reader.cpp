#include "harness/stage/scenario_reader.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "harness/core/limits.h"
#include "harness/core/nearest.h"
#include "harness/stage/expectation_reader.h"
#include "harness/stage/line_reader.h"
#include "harness/stage/script_rules.h"
#include "harness/stage/sentence_pattern.h"
#include "harness/stage/yaml_map.h"
#include "harness/stage/yaml_tree.h"

namespace locklab {

namespace {

using Kind = YamlNode::Kind;

constexpr std::array<std::string_view, 16> kScenarioKeys{
    "title", "source",   "says",    "means", "verdict_on_source", "hits",
    "ttl",   "retry",    "timeout", "locks", "job_limit",         "topology",
    "cast",  "sim_only", "script",  "expect"};
constexpr std::array<std::string_view, 5> kRoleKeys{"clock", "job", "ttl", "renewal", "habit"};
constexpr std::array<std::string_view, 1> kHabits{"always_releases"};
constexpr std::size_t kLargestCast = 8;

const std::string kRightCast = "a list of clients like [A, B]";
const std::string kRightRole = "a capital letter, or a map like B: {clock: +3s, job: 12s}";
const std::string kRightScript = "a list of sentences like 'A acquires'";

void check_name(const YamlFile& file, const YamlNode& node, const std::vector<Role>& cast) {
    const std::string& name = node.text;
    if (name.size() != 1 || name[0] < 'A' || name[0] > 'Z') {
        file.fail(node.place, in_quotes(name) +
                                  " is no name for a client; right would be one "
                                  "capital letter");
    }
    for (const Role& role : cast) {
        if (role.name != name) continue;
        file.fail(node.place, in_quotes(name) + " is in the cast already; name each client once");
    }
}

void read_traits(const YamlFile& file, const YamlEntry& entry, Role& role) {
    const YamlMap map(file, entry.value, entry.key.place, in_quotes(entry.key.text),
                      "a map like {clock: +3s, job: 12s}", kRoleKeys);
    if (map.find("clock") != nullptr) {
        const std::string word = map.text("clock");
        const std::optional<Duration> offset = parse_jump(word);
        if (!offset) {
            file.fail(map.at("clock").value.place,
                      "'clock' is " + in_quotes(word) +
                          ", not a time with its sign; right would be like +3s or -3s");
        }
        role.clock_offset = *offset;
    }
    for (const auto& [key, time] : {std::pair("ttl", &role.ttl), {"renewal", &role.renewal}}) {
        *time = map.duration_or_nothing(key);
        if (*time && **time < std::chrono::milliseconds(1)) {
            file.fail(map.at(key).value.place, in_quotes(key) +
                                                   " is less than Redis can count; right would be "
                                                   "1ms or more, like 5s");
        }
    }
    role.job = map.duration_or_nothing("job").value_or(Duration::zero());
    if (map.find("habit") != nullptr) {
        const std::string word = map.text("habit");
        if (word != kHabits.front()) {
            file.fail(map.at("habit").value.place, unknown_word("habit", word, kHabits));
        }
        role.always_releases = true;
    }
}

Role read_role(const YamlFile& file, const YamlNode& node, const std::vector<Role>& cast) {
    Role role;
    if (node.kind != Kind::map) {
        file.want(Kind::text, node, "an entry of the cast", kRightRole);
        check_name(file, node, cast);
        role.name = node.text;
        return role;
    }
    const std::vector<YamlEntry> entries = file.entries(node, "an entry of the cast", kRightRole);
    if (entries.size() != 1) {
        file.fail(node.place, "an entry of the cast has " + std::to_string(entries.size()) +
                                  " keys; right would be one, the client's name");
    }
    check_name(file, entries.front().key, cast);
    role.name = entries.front().key.text;
    read_traits(file, entries.front(), role);
    return role;
}

std::vector<Role> read_cast(const YamlFile& file, const YamlNode& node) {
    file.want(Kind::list, node, "'cast'", kRightCast);
    std::vector<Role> cast;
    for (const YamlNode& item : node.items) {
        if (cast.size() == kLargestCast) {
            file.fail(item.place, "the cast has more than " + std::to_string(kLargestCast) +
                                      " clients; right would be fewer");
        }
        cast.push_back(read_role(file, item, cast));
    }
    if (cast.empty()) file.fail(node.place, "'cast' is empty; right would be " + kRightCast);
    return cast;
}

Topology read_topology(const YamlFile& file, const YamlMap& map) {
    if (map.find("topology") == nullptr) return {};
    const std::string word = map.text("topology");
    const std::optional<Topology> topology = parse_topology(word);
    if (topology) return *topology;
    file.fail(map.at("topology").value.place,
              "'topology' is " + in_quotes(word) + "; right would be " + right_topologies());
}

/// Lock n is at server n, so there are as many servers as locks.
std::uint32_t read_locks(const YamlFile& file, const YamlMap& map, Topology& topology) {
    if (map.find("locks") == nullptr) return 1;
    const std::string word = map.text("locks");
    if (word != "2" && word != "3") {
        file.fail(map.at("locks").value.place,
                  "'locks' is " + in_quotes(word) + "; right would be 2 or 3");
    }
    const auto locks = static_cast<std::uint32_t>(word[0] - '0');
    Topology servers;
    servers.masters = locks;
    if (map.find("topology") != nullptr && topology != servers) {
        file.fail(map.at("topology").value.place,
                  "each of " + word +
                      " locks is at a server of its own; right would be 'topology: " +
                      to_string(servers) + "', or none");
    }
    topology = servers;
    return locks;
}

std::vector<Line> read_script(const YamlFile& file, const YamlNode& node,
                              std::span<const std::string_view> cast, const Topology& topology) {
    file.want(Kind::list, node, "'script'", kRightScript);
    if (node.items.empty()) {
        file.fail(node.place, "'script' is empty; right would be " + kRightScript);
    }
    std::vector<Line> script;
    ScriptRules rules(cast, topology);
    for (const YamlNode& item : node.items) {
        file.want(Kind::text, item, "a line of the script", "a sentence like 'A acquires'");
        try {
            PlacedLine placed = read_line(item.text, cast);
            placed.line.line = item.place.line;
            rules.check(placed);
            script.push_back(std::move(placed.line));
        } catch (const LineError& error) {
            file.fail(item.place_of(error.offset()), error.what());
        }
    }
    return script;
}

std::string text_of(const std::filesystem::path& path) {
    std::error_code error;
    std::ifstream stream;
    if (std::filesystem::is_regular_file(path, error)) stream.open(path, std::ios::binary);
    // Reads one byte more than allowed, so that a larger file is refused.
    std::string text(kMostYaml + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream.is_open() || stream.bad()) {
        throw ScenarioError(path.string() + ":1:1: cannot be read; right would be a file that can");
    }
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

}  // namespace

Scenario read_scenario(std::string_view text, const std::string& file,
                       const std::vector<std::string_view>& algorithms) {
    const YamlFile yaml(file, text);
    const YamlNode& root = yaml.root();
    const std::string right = "a map that begins with 'title: '";
    if (root.kind == Kind::nothing) yaml.fail({}, "the file is empty; right would be " + right);
    const YamlMap map(yaml, root, root.place, "the scenario", right, kScenarioKeys);
    Scenario scenario;
    scenario.name = std::filesystem::path(file).stem().string();
    scenario.file = file;
    scenario.text = text;
    scenario.title = map.text("title");
    scenario.source = map.text("source");
    scenario.says = map.text_or_nothing("says");
    scenario.means = map.text_or_nothing("means");
    scenario.verdict_on_source = map.text_or_nothing("verdict_on_source");
    scenario.hits = map.text("hits");
    scenario.ttl = map.duration("ttl");
    if (scenario.ttl < std::chrono::milliseconds(1)) {
        yaml.fail(map.at("ttl").value.place,
                  "'ttl' is less than Redis can count; right would be 1ms or more, like 10s");
    }
    scenario.retry = map.duration_or_nothing("retry");
    scenario.timeout = map.duration_or_nothing("timeout");
    scenario.job_limit = map.duration_or_nothing("job_limit");
    scenario.sim_only = map.text_or_nothing("sim_only");
    scenario.cast = read_cast(yaml, map.at("cast").value);
    std::vector<std::string_view> names;
    for (const Role& role : scenario.cast) names.emplace_back(role.name);
    scenario.topology = read_topology(yaml, map);
    scenario.locks = read_locks(yaml, map, scenario.topology);
    scenario.script = read_script(yaml, map.at("script").value, names, scenario.topology);
    scenario.expectations = read_expectations(yaml, map.at("expect").value, names, algorithms);
    return scenario;
}

std::vector<Scenario> read_scenarios(const std::filesystem::path& folder,
                                     const std::vector<std::string_view>& algorithms) {
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        if (it->path().extension() == ".yml") {
            throw ScenarioError(it->path().string() +
                                ":1:1: the name ends with '.yml'; right would be '.yaml'");
        }
        if (it->path().extension() == ".yaml") paths.push_back(it->path());
    }
    if (error) {
        throw ScenarioError(folder.string() + ": cannot be read (" + error.message() +
                            "); right would be a folder of scenarios");
    }
    if (paths.empty()) {
        throw ScenarioError(folder.string() +
                            ": holds no scenario; right would be a folder with *.yaml files");
    }
    std::sort(paths.begin(), paths.end());
    std::vector<Scenario> scenarios;
    for (const std::filesystem::path& path : paths) {
        scenarios.push_back(read_scenario(text_of(path), path.string(), algorithms));
    }
    return scenarios;
}

}  // namespace locklab
