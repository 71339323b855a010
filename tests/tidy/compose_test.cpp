// docker-compose.yml keeps what the README promises of it: pinned images, health checks, three
// groups of servers on the ports that are written there. No Docker is needed to see that.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/core/places.h"

namespace locklab {

namespace {

using Complaints = std::vector<std::string>;

std::string read(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(source_dir() + "/" + name).rdbuf();
    return text.str();
}

/// yaml-cpp 0.7 leaves merge keys (<<) to its callers.
YAML::Node field(const YAML::Node& service, const std::string& key) {
    if (service[key]) return service[key];
    return service["<<"] ? field(service["<<"], key) : YAML::Node(YAML::NodeType::Undefined);
}

std::string words(const YAML::Node& sequence) {
    std::string all;
    for (const YAML::Node& word : sequence) all += word.as<std::string>() + " ";
    return all;
}

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
    const std::regex regex(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
        found.insert((*it)[1]);
    }
    return found;
}

class Compose {
public:
    explicit Compose(const std::string& text) : services_(YAML::Load(text)["services"]) {}

    Complaints check(const std::string& readme) {
        for (const auto& entry : services_) check_service(entry.first.as<std::string>());
        check_groups();
        const std::set<std::string> promised = matches(readme, "127\\.0\\.0\\.1:(\\d+)");
        for (const std::string& port : ports_) {
            expect(promised.contains(port), "port " + port + " is not in the README");
        }
        for (const std::string& port : promised) {
            expect(ports_.contains(port), "port " + port + " of the README is not published");
        }
        return std::move(complaints_);
    }

private:
    void expect(bool condition, const std::string& otherwise) {
        if (!condition) complaints_.push_back(otherwise);
    }

    void check_service(const std::string& name) {
        const YAML::Node service = services_[name];
        const std::string image = field(service, "image").as<std::string>("");
        expect(std::regex_match(image, std::regex(R"(redis:\d+\.\d+\.\d+-[a-z]+)")),
               name + " has no pinned image: " + image);
        const YAML::Node health = field(service, "healthcheck");
        expect(health && field(health, "test") && field(health, "interval"),
               name + " has no health check");
        check_port(name, words(field(service, "ports")));
        check_command(name, words(field(service, "command")));
        const YAML::Node needs = field(service, "depends_on");
        for (const auto& need : needs ? needs : YAML::Node(YAML::NodeType::Map)) {
            const auto target = need.first.as<std::string>();
            expect(services_[target].IsDefined(), name + " depends on no service: " + target);
            expect(need.second["condition"].as<std::string>("") == "service_healthy",
                   name + " does not wait until " + target + " is healthy");
        }
        const std::string group = words(field(service, "profiles"));
        const bool sentinel =
            words(field(service, "command")).find("sentinel monitor") != std::string::npos;
        const bool replica =
            words(field(service, "command")).find("--replicaof") != std::string::npos;
        ++groups_[group + (sentinel ? "sentinels" : replica ? "replicas" : "masters")];
    }

    void check_port(const std::string& name, const std::string& published) {
        std::smatch match;
        const bool local =
            std::regex_match(published, match, std::regex(R"(127\.0\.0\.1:(\d+):(6379|26379) )"));
        expect(local, name + " does not publish one port on 127.0.0.1: " + published);
        if (!local) return;
        expect(ports_.insert(match[1]).second, name + " shares port " + match[1].str());
        expect(match[1] != match[2], name + " takes the port of another Redis");
    }

    void check_command(const std::string& name, const std::string& command) {
        std::smatch match;
        const std::regex watched("(?:--replicaof|sentinel monitor \\w+) ([\\w-]+) 6379( \\d+)?");
        const bool watches = std::regex_search(command, match, watched);
        if (watches) {
            const std::string followed = match[1];
            expect(services_[followed].IsDefined(), name + " follows no service: " + followed);
        }
        if (watches && match[2].matched) {
            expect(match[2] == " 2", name + " has a quorum of" + match[2].str());
            return;
        }
        expect(command.find("--maxmemory-policy noeviction") != std::string::npos,
               name + " may evict locks");
        expect(command.find("--appendonly ") != std::string::npos,
               name + " does not say whether it appends to a file");
    }

    void check_groups() {
        const std::map<std::string, int> right{{"one masters", 1},
                                               {"sentinel masters", 1},
                                               {"sentinel replicas", 1},
                                               {"sentinel sentinels", 3},
                                               {"five masters", 5}};
        for (const auto& [group, count] : right) {
            expect(groups_[group] == count,
                   "there are " + std::to_string(groups_[group]) + " " + group);
        }
        expect(groups_.size() == right.size(), "there are other groups, too");
    }

    YAML::Node services_;
    std::set<std::string> ports_;
    std::map<std::string, int> groups_;
    Complaints complaints_;
};

TEST(Compose, keeps_its_promises) {
    Compose compose(read("docker-compose.yml"));
    for (const std::string& complaint : compose.check(read("README.md")))
        ADD_FAILURE() << complaint;
}

/// One change to the real file, and a part of the complaint that it must lead to.
struct Break {
    std::string from;
    std::string to;
    std::string complaint;
};

TEST(Compose, breaks_are_noticed) {
    const std::vector<Break> breaks{
        {"image: redis:7.4.2-bookworm\n  #", "image: redis:latest\n  #", "no pinned image"},
        {"image: redis:7.4.2-bookworm\n  profiles", "image: redis:7.4\n  profiles", "no pinned"},
        {"  healthcheck: &healthcheck\n", "  health: &healthcheck\n", "one has no health check"},
        {"127.0.0.1:6402:", "127.0.0.1:6401:", "five-2 shares port 6401"},
        {"127.0.0.1:6402:", "127.0.0.1:6379:", "takes the port of another"},
        {"127.0.0.1:6402:", "127.0.0.1:7402:", "port 7402 is not in the README"},
        {"127.0.0.1:6402:", "127.0.0.1:7402:", "port 6402 of the README"},
        {"127.0.0.1:6390:", "6390:", "on 127.0.0.1"},
        {"locklab master 6379 2", "locklab master 6379 1", "quorum of 1"},
        {"locklab master 6379 2", "locklab chief 6379 2", "follows no service: chief"},
        {"- master 6379", "- chief 6379", "replica follows no service: chief"},
        {"replica: {condition: service_healthy}", "replica: {condition: service_started}",
         "does not wait until replica is healthy"},
        {"    profiles: [five]\n    ports: [\"127.0.0.1:6405",
         "    profiles: [one]\n    ports: [\"127.0.0.1:6405", "there are 4 five masters"},
        {"- noeviction", "- allkeys-lru", "may evict"},
        {"- --appendonly\n", "- --appenddirname\n", "appends to a file"},
    };
    for (const Break& change : breaks) {
        SCOPED_TRACE(change.from + " -> " + change.to);
        std::string text = read("docker-compose.yml");
        const std::size_t at = text.find(change.from);
        ASSERT_NE(at, std::string::npos);
        text.replace(at, change.from.size(), change.to);
        std::string all;
        for (const std::string& complaint : Compose(text).check(read("README.md"))) {
            all += complaint + "\n";
        }
        EXPECT_NE(all.find(change.complaint), std::string::npos) << all;
    }
}

}  // namespace

}  // namespace locklab
