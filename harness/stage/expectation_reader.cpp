#include "harness/stage/expectation_reader.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/core/nearest.h"
#include "harness/stage/sentence_pattern.h"
#include "harness/stage/yaml_map.h"

namespace locklab {

namespace {

using Kind = YamlNode::Kind;

constexpr std::array<std::string_view, 9> kExpectationKeys{"inside_together", "stuck",   "kept_out",
                                                           "failed",          "deleted", "extended",
                                                           "lost_updates",    "why",     "fix"};
constexpr std::array<std::string_view, 2> kStuck{"until_ttl", "for_ever"};

/// Reads the outcome of one entry, which may stand under several names.
class ExpectationReader {
public:
    ExpectationReader(const YamlFile& file, const YamlEntry& entry,
                      std::span<const std::string_view> cast)
        : file_(file),
          place_(entry.key.place),
          name_(in_quotes(entry.key.text)),
          map_(file, entry.value, place_, name_, "a map with a 'why'", kExpectationKeys),
          cast_(cast) {}

    Expectation read() const {
        Expectation found;
        Outcome& outcome = found.outcome;
        outcome.inside_together = deeds("inside_together", true);
        outcome.stuck = stuck();
        outcome.kept_out = clients("kept_out");
        outcome.failed = clients("failed");
        outcome.deleted = deeds("deleted", false);
        outcome.extended = deeds("extended", false);
        outcome.lost_updates = deeds("lost_updates", false);
        for (const ClientId client : outcome.kept_out) {
            if (!outcome.stuck.contains(client)) continue;
            file_.fail(map_.at("kept_out").key.place,
                       std::string(cast_[client.value]) +
                           " is stuck, and so not kept out too; right would be one of both");
        }
        found.why = map_.text("why");
        found.fix = fix(outcome == Outcome{});
        return found;
    }

private:
    std::string fix(bool all_is_well) const {
        const YamlEntry* entry = map_.find("fix");
        if (!all_is_well && entry == nullptr) {
            file_.fail(place_, name_ +
                                   " lacks the key 'fix', and something goes wrong; right "
                                   "would be one sentence on what prevents it");
        }
        if (!all_is_well) return map_.text("fix");
        if (entry != nullptr) {
            file_.fail(entry->key.place,
                       "there is a 'fix' where nothing goes wrong; leave it out, or say what does");
        }
        return "";
    }

    ClientId client(const YamlNode& node, std::size_t offset, std::string_view name) const {
        const std::size_t index = client_at(file_, node, offset, name, cast_);
        return ClientId{static_cast<std::uint32_t>(index)};
    }

    /// Reads every text of a list with `read`, and sorts the results.
    template <class Read>
    auto list(std::string_view key, const std::string& example, Read read) const {
        std::vector<decltype(read(YamlNode{}))> found;
        const YamlEntry* entry = map_.find(key);
        if (entry == nullptr) return found;
        file_.want(Kind::list, entry->value, in_quotes(key), "a list like [" + example + "]");
        for (const YamlNode& item : entry->value.items) {
            file_.want(Kind::text, item, "an entry of " + in_quotes(key), "like " + example);
            const auto one = read(item);
            if (std::find(found.begin(), found.end(), one) != found.end()) {
                file_.fail(item.place, in_quotes(item.text) + " is in " + in_quotes(key) +
                                           " already; give it once");
            }
            found.push_back(one);
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    std::vector<ClientId> clients(std::string_view key) const {
        const std::string example(cast_.front());
        return list(key, example,
                    [this](const YamlNode& item) { return client(item, 0, item.text); });
    }

    std::vector<Deed> deeds(std::string_view key, bool pair) const {
        const std::string_view joint = pair ? "+" : " by ";
        const std::string example = std::string(cast_.front()).append(joint).append(cast_.back());
        return list(key, example, [&](const YamlNode& item) {
            const std::string_view text = item.text;
            const std::size_t at = text.find(joint);
            const bool whole =
                at != std::string_view::npos && at != 0 && at + joint.size() < text.size();
            if (!whole) {
                file_.fail(item.place, in_quotes(text) +
                                           " does not name two clients; right "
                                           "would be like " +
                                           example);
            }
            const std::size_t second = at + joint.size();
            return Deed{client(item, 0, text.substr(0, at)),
                        client(item, second, text.substr(second))};
        });
    }

    std::map<ClientId, StuckKind> stuck() const {
        std::map<ClientId, StuckKind> found;
        const YamlEntry* entry = map_.find("stuck");
        if (entry == nullptr) return found;
        const std::string right = "a map like {" + std::string(cast_.front()) + ": for_ever}";
        for (const YamlEntry& one : file_.entries(entry->value, "'stuck'", right)) {
            const ClientId who = client(one.key, 0, one.key.text);
            file_.want(Kind::text, one.value, in_quotes(one.key.text), "until_ttl or for_ever");
            const auto kind = std::find(kStuck.begin(), kStuck.end(), one.value.text);
            if (kind == kStuck.end()) {
                file_.fail(one.value.place, unknown_word("kind of stuck", one.value.text, kStuck));
            }
            found[who] = static_cast<StuckKind>(kind - kStuck.begin());
        }
        return found;
    }

    const YamlFile& file_;
    Place place_;
    std::string name_;
    YamlMap map_;
    std::span<const std::string_view> cast_;
};

struct Name {
    std::string_view word;
    std::size_t offset;
};

/// The words between a key's commas, without blanks around them.
std::vector<Name> names_of(std::string_view key) {
    std::vector<Name> names;
    std::size_t from = 0;
    while (from <= key.size()) {
        const std::size_t comma = std::min(key.find(',', from), key.size());
        const Words words = words_of(key.substr(from, comma - from));
        if (words.empty()) {
            names.push_back({"", from});
        } else {
            const char* last = words.back().data() + words.back().size();
            const auto size = static_cast<std::size_t>(last - words.front().data());
            const auto offset = static_cast<std::size_t>(words.front().data() - key.data());
            names.push_back({key.substr(offset, size), offset});
        }
        from = comma + 1;
    }
    return names;
}

}  // namespace

std::vector<Expectation> read_expectations(const YamlFile& file, const YamlNode& node,
                                           std::span<const std::string_view> cast,
                                           std::span<const std::string_view> algorithms) {
    std::vector<Expectation> all;
    const std::string right = "a map from names of algorithms to what they do";
    const std::vector<YamlEntry> entries = file.entries(node, "'expect'", right);
    if (entries.empty()) file.fail(node.place, "'expect' is empty; right would be " + right);
    for (const YamlEntry& entry : entries) {
        const std::size_t first = all.size();
        for (const Name& name : names_of(entry.key.text)) {
            const Place place = entry.key.place_of(name.offset);
            if (std::find(algorithms.begin(), algorithms.end(), name.word) == algorithms.end()) {
                file.fail(place, unknown_word("algorithm", name.word, algorithms));
            }
            for (const Expectation& earlier : all) {
                if (earlier.algorithm != name.word) continue;
                file.fail(place, "what is expected of " + in_quotes(name.word) + " is in line " +
                                     std::to_string(earlier.line) + " already; say it once");
            }
            Expectation expectation;
            expectation.algorithm = name.word;
            expectation.line = place.line;
            all.push_back(std::move(expectation));
        }
        const Expectation read = ExpectationReader(file, entry, cast).read();
        for (std::size_t i = first; i < all.size(); ++i) {
            all[i].outcome = read.outcome;
            all[i].why = read.why;
            all[i].fix = read.fix;
        }
    }
    return all;
}

}  // namespace locklab
