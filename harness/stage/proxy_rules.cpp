#include "harness/stage/proxy_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <vector>

#include "harness/core/nearest.h"
#include "harness/core/sha1.h"
#include "harness/stage/scenario_reader.h"
#include "harness/stage/sentence_pattern.h"
#include "harness/stage/yaml_map.h"

namespace locklab {

namespace {

constexpr std::array<std::string_view, 2> kFileKeys{"links", "rules"};
constexpr std::array<std::string_view, 5> kLinkKeys{"client", "node", "to", "listen", "carries"};
constexpr std::array<std::string_view, 8> kRuleKeys{"client", "node",  "command", "script",
                                                    "nth",    "fault", "amount",  "error"};
constexpr std::array<std::string_view, 2> kCarries{"resp", "bytes"};
constexpr std::size_t kMostLinks = 1000;
constexpr std::size_t kDigestDigits = 40;
constexpr std::size_t kLongestName = 64;

class PlanReader {
public:
    explicit PlanReader(const YamlFile& file) : file_(file) {}

    ProxyPlan read() {
        const YamlNode& root = file_.root();
        const std::string right = "a map that begins with 'links:'";
        if (root.kind == YamlNode::Kind::nothing) {
            file_.fail({}, "the file is empty; right would be " + right);
        }
        const YamlMap map(file_, root, root.place, "the file", right, kFileKeys);
        for (const YamlNode& node : list(map, "links")) read_link(node);
        if (plan_.links.empty() || plan_.links.size() > kMostLinks) {
            file_.fail(map.at("links").value.place,
                       "there are " + std::to_string(plan_.links.size()) +
                           " links; right would be 1 to " + std::to_string(kMostLinks));
        }
        if (map.find("rules") == nullptr) return std::move(plan_);
        for (const YamlNode& node : list(map, "rules")) read_rule(node);
        return std::move(plan_);
    }

private:
    const std::vector<YamlNode>& list(const YamlMap& map, std::string_view key) const {
        const YamlNode& value = map.at(key).value;
        file_.want(YamlNode::Kind::list, value, in_quotes(key), "a list of maps");
        return value.items;
    }

    static std::string short_text(const YamlFile& file, const YamlMap& map, std::string_view key) {
        const std::string text = map.text(key);
        const bool fits = text.size() <= kLongestName && text.find(' ') == std::string::npos;
        if (fits) return text;
        file.fail(map.at(key).value.place,
                  in_quotes(text) + " is no name; right would be one word, like A");
    }

    void read_link(const YamlNode& node) {
        const YamlMap map(file_, node, node.place, "a link", "a map like {client: A, ...}",
                          kLinkKeys);
        ProxyLink link;
        link.name.client = short_text(file_, map, "client");
        link.name.node = short_text(file_, map, "node");
        link.node = endpoint(map, "to");
        link.listen = {"", "127.0.0.1", 0};
        if (map.find("listen") != nullptr) {
            link.listen = endpoint(map, "listen");
            if (!link.listen.socket_path.empty()) {
                file_.fail(map.at("listen").value.place,
                           "the proxy listens at a port; right would be like 127.0.0.1:7001");
            }
        }
        if (map.find("carries") != nullptr) {
            link.bytes = one_of(map, "carries", kCarries, "word") == "bytes";
        }
        for (const ProxyLink& other : plan_.links) {
            if (other.name.client != link.name.client || other.name.node != link.name.node)
                continue;
            file_.fail(node.place, "there is a link from " + link.name.client + " to " +
                                       link.name.node + " already; give each once");
        }
        plan_.links.push_back(std::move(link));
    }

    Endpoint endpoint(const YamlMap& map, std::string_view key) const {
        const std::string text = map.text(key);
        if (text.starts_with('/')) return {text, "", 0};
        try {
            return parse_endpoint(text);
        } catch (const std::invalid_argument& error) {
            file_.fail(map.at(key).value.place, error.what());
        }
    }

    template <class Words>
    std::string one_of(const YamlMap& map, std::string_view key, const Words& words,
                       std::string_view what) const {
        const std::string word = map.text(key);
        if (std::find(words.begin(), words.end(), word) != words.end()) return word;
        file_.fail(map.at(key).value.place, unknown_word(what, word, words));
    }

    void read_rule(const YamlNode& node) {
        const YamlMap map(file_, node, node.place, "a rule", "a map like {command: SET, ...}",
                          kRuleKeys);
        FaultRule rule;
        std::vector<std::string_view> clients;
        std::vector<std::string_view> nodes;
        for (const ProxyLink& link : plan_.links) {
            clients.push_back(link.name.client);
            nodes.push_back(link.name.node);
        }
        if (map.find("client") != nullptr) rule.client = one_of(map, "client", clients, "client");
        if (map.find("node") != nullptr) rule.node = one_of(map, "node", nodes, "node");
        if (map.find("command") != nullptr) {
            rule.command = short_text(file_, map, "command");
            for (char& c : rule.command) {
                if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
            }
        }
        if (map.find("script") != nullptr) rule.digest = digest(map.at("script").value);
        if (map.find("nth") != nullptr) rule.nth = nth(map);
        read_fault(map, rule);
        plan_.rules.push_back(std::move(rule));
    }

    /// The text must match to the byte: a line feed at its end is part of the script.
    std::string digest(const YamlNode& script) const {
        file_.want(YamlNode::Kind::text, script, "'script'", "a script's text, or its digest");
        std::string text = script.text;
        const bool is_digest =
            text.size() == kDigestDigits &&
            text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
        if (!is_digest) return to_hex(sha1(text));
        for (char& c : text) {
            if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
        }
        return text;
    }

    std::uint64_t nth(const YamlMap& map) const {
        const std::string word = map.text("nth");
        if (word == "each") return 0;
        std::uint32_t number = 0;
        const char* const end = word.data() + word.size();
        const auto read = std::from_chars(word.data(), end, number);
        if (read.ec == std::errc() && read.ptr == end && number > 0) return number;
        file_.fail(map.at("nth").value.place,
                   "'nth' is " + in_quotes(word) + "; right would be 1 or more, or each");
    }

    void read_fault(const YamlMap& map, FaultRule& rule) const {
        std::vector<std::string_view> names;
        for (const LinkFaultRow& row : kLinkFaults) names.push_back(row.name);
        const std::string name = one_of(map, "fault", names, "fault");
        const LinkFaultRow& row =
            *std::find_if(kLinkFaults.begin(), kLinkFaults.end(),
                          [&](const LinkFaultRow& each) { return each.name == name; });
        rule.fault = row.fault;
        if (row.needs_amount) rule.amount = map.duration("amount");
        const bool is_error = row.fault == LinkFault::error;
        if (is_error) rule.error = error(map);
        refuse(map, "amount", row.needs_amount, name);
        refuse(map, "error", is_error, name);
    }

    void refuse(const YamlMap& map, std::string_view key, bool is_right,
                std::string_view fault) const {
        const YamlEntry* entry = map.find(key);
        if (is_right || entry == nullptr) return;
        file_.fail(entry->key.place, "the fault " + in_quotes(fault) + " has no " + in_quotes(key) +
                                         "; right would be to leave it out");
    }

    /// A server's error code alone, or a whole error text.
    std::string error(const YamlMap& map) const {
        const std::string text = map.text("error");
        const Place place = map.at("error").value.place;
        const std::vector<std::string_view> known = known_errors();
        const std::string code = text.substr(0, text.find(' '));
        if (std::find(known.begin(), known.end(), code) == known.end()) {
            file_.fail(place, unknown_word("error", code, known));
        }
        if (text.find_first_of("\r\n") != std::string::npos) {
            file_.fail(place, "an error is one line");
        }
        if (code != text) return text;
        if (code != "MOVED") return words_of_error(code);
        file_.fail(place, "MOVED says where to; right would be like MOVED 866 127.0.0.1:7002");
    }

    const YamlFile& file_;
    ProxyPlan plan_;
};

}  // namespace

ProxyPlan read_proxy_plan(std::string_view text, const std::string& file) {
    const YamlFile yaml(file, text);
    return PlanReader(yaml).read();
}

}  // namespace locklab
