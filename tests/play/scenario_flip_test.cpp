// No expectation could be another: of every scenario and every lock of which its file speaks,
// each thing expected is left out, and each that is not is put in, as text; with the file so
// written, the same play is not as expected.

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/check/outcome.h"
#include "harness/play/scenario_plays.h"
#include "harness/stage/scenario_reader.h"
#include "tests/core/places.h"

namespace locklab::scenario_flip_test {
namespace {

std::vector<std::string_view> names() {
    std::vector<std::string_view> names;
    for (const Algorithm* algorithm : every_algorithm()) names.push_back(algorithm->name);
    return names;
}

/// An outcome as a file says it: each key with what is listed there, in words.
using Said = std::map<std::string, std::set<std::string>>;

const std::vector<std::string> kKinds{"until_ttl", "for_ever"};

/// One scenario, with the words that its cast has for things.
class Flips {
public:
    explicit Flips(const Scenario& scenario) : scenario_(scenario) {}

    Said said(const Outcome& outcome) const {
        Said said;
        for (const Deed& deed : outcome.inside_together) {
            said["inside_together"].insert(pair(deed, "+"));
        }
        for (const auto& [client, kind] : outcome.stuck) {
            said["stuck"].insert(name(client) + ": " + kKinds[static_cast<std::size_t>(kind)]);
        }
        for (const ClientId client : outcome.kept_out) said["kept_out"].insert(name(client));
        for (const Deed& deed : outcome.deleted) said["deleted"].insert(pair(deed, " by "));
        for (const Deed& deed : outcome.extended) said["extended"].insert(pair(deed, " by "));
        for (const Deed& deed : outcome.lost_updates) {
            said["lost_updates"].insert(pair(deed, " by "));
        }
        return said;
    }

    /// Everything that an expectation could list.
    Said everything() const {
        Said all;
        for (const ClientId one : clients()) {
            all["kept_out"].insert(name(one));
            for (const std::string& kind : kKinds) all["stuck"].insert(name(one) + ": " + kind);
            for (const ClientId other : clients()) {
                all["inside_together"].insert(pair({one, other}, "+"));
                for (const char* key : {"deleted", "extended", "lost_updates"}) {
                    all[key].insert(pair({one, other}, " by "));
                }
            }
        }
        return all;
    }

    /// What is one step away from `said`: with an item less, with one more, with one for another
    /// that says something of the same client.
    std::vector<Said> flipped(const Said& said) const {
        std::vector<Said> all;
        for (const auto& [key, items] : everything()) {
            for (const std::string& item : items) {
                const bool there = said.contains(key) && said.at(key).contains(item);
                Said other = said;
                if (there) other[key].erase(item);
                if (!there) set(other, key, item);
                all.push_back(std::move(other));
            }
        }
        return all;
    }

    /// The file with these words as all that it expects, of this lock alone.
    Scenario rewritten(const std::string& algorithm, const Said& said) const {
        const std::size_t expect = scenario_.text.find("\nexpect:");
        EXPECT_NE(expect, std::string::npos);
        std::string text = scenario_.text.substr(0, expect) + "\nexpect:\n  " + algorithm + ":\n";
        bool wrong = false;
        for (const auto& [key, items] : said) {
            std::string list;
            for (const std::string& item : items) list += (list.empty() ? "" : ", ") + item;
            wrong = wrong || !items.empty();
            text +=
                "    " + key + ": " + (key == "stuck" ? "{" + list + "}" : "[" + list + "]") + "\n";
        }
        text += std::string("    why: x\n") + (wrong ? "    fix: y\n" : "");
        return read_scenario(text, scenario_.name + ".yaml", names());
    }

private:
    std::string name(ClientId client) const { return scenario_.cast[client.value].name; }
    std::string pair(const Deed& deed, const char* joint) const {
        return name(deed.victim) + joint + name(deed.by);
    }
    std::vector<ClientId> clients() const {
        std::vector<ClientId> all;
        for (std::uint32_t i = 0; i < scenario_.cast.size(); ++i) all.push_back(ClientId{i});
        return all;
    }

    /// A client is stuck in one way, or kept out; what it was before gives way.
    static void set(Said& said, const std::string& key, const std::string& item) {
        if (key == "stuck" || key == "kept_out") {
            std::erase_if(said["stuck"], [&](const std::string& old) { return old[0] == item[0]; });
            said["kept_out"].erase(item.substr(0, 1));
        }
        said[key].insert(item);
    }

    const Scenario& scenario_;
};

TEST(ScenarioFlip, with_any_expectation_changed_no_play_is_as_expected) {
    const std::vector<Scenario> all = read_scenarios(source_dir() + "/scenarios", names());
    std::size_t flips = 0;
    for (PlayedScenario& played : [&] {
             auto plays = expected_plays(all);
             play_all(plays, {});
             return plays;
         }()) {
        SCOPED_TRACE(played.scenario->name + " with " + std::string(played.algorithm->name));
        EXPECT_TRUE(played.ok());
        const Flips flip(*played.scenario);
        const std::string algorithm(played.algorithm->name);
        const Said right = flip.said(played.expected->outcome);
        PlayedScenario again = played;
        const Scenario same = flip.rewritten(algorithm, right);
        again.expected = expectation_of(same, algorithm);
        EXPECT_TRUE(again.ok()) << "as it is, only written anew";
        for (const Said& wrong : flip.flipped(right)) {
            const Scenario other = flip.rewritten(algorithm, wrong);
            again.expected = expectation_of(other, algorithm);
            EXPECT_FALSE(again.ok()) << in_words(again.expected->outcome, other.names());
            ++flips;
        }
    }
    EXPECT_GT(flips, 1000U);
}

}  // namespace
}  // namespace locklab::scenario_flip_test
