#include "harness/explore/twin_run.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "harness/explore/step_table.h"

namespace locklab {

namespace {

/// A number this far below the lowest stored one belongs to a client passed over long ago.
constexpr std::int64_t kLongAgo = 8;
constexpr std::size_t kMostWarmUp = 10'000;
constexpr std::size_t kMostDigits = 18;

/// A piece of a state's text: a token, a number, or the text between them.
struct Piece {
    enum class Kind : std::uint8_t { other, number, token };
    Kind kind = Kind::other;
    std::string_view text;
    std::int64_t number = 0;
};

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_decimal(c) || (c >= 'a' && c <= 'f'); }

/// Classifies a run of hexadecimal digits.
Piece piece_of(std::string_view run) {
    Piece piece{Piece::Kind::other, run};
    if (run.size() == kTokenDigits) {
        piece.kind = Piece::Kind::token;
    } else if (run.size() <= kMostDigits && std::ranges::all_of(run, is_decimal)) {
        piece.kind = Piece::Kind::number;
        std::from_chars(run.data(), run.data() + run.size(), piece.number);
    }
    return piece;
}

/// Valid as long as the text is.
std::vector<Piece> pieces_of(std::string_view text) {
    std::vector<Piece> pieces;
    std::size_t other = 0;  // start of the text that is no token or number
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_hex(text[end])) ++end;
        const Piece piece = piece_of(text.substr(at, end - at));
        const bool counts = end > at && piece.kind != Piece::Kind::other;
        if (counts) {
            if (other < at) pieces.push_back({Piece::Kind::other, text.substr(other, at - other)});
            pieces.push_back(piece);
            other = end;
        }
        at = std::max(end, at + 1);
    }
    if (other < text.size()) pieces.push_back({Piece::Kind::other, text.substr(other)});
    return pieces;
}

[[noreturn]] void refuse(const std::string& what) {
    throw DoesNotRepeat("after another past the lock " + what +
                        ", so that what it does for ever is not known from what it does once");
}

using Pairs = std::vector<std::pair<Piece, Piece>>;

/// Two texts, piece by piece; valid as long as they are. Throws if their forms differ.
Pairs pairs_of(std::string_view one, std::string_view other) {
    const std::vector<Piece> first = pieces_of(one);
    const std::vector<Piece> second = pieces_of(other);
    if (first.size() != second.size()) refuse("stores or sends something else");
    Pairs pairs;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool same = first[i].kind == second[i].kind &&
                          (first[i].kind != Piece::Kind::other || first[i].text == second[i].text);
        if (!same) refuse("stores or sends something else");
        pairs.emplace_back(first[i], second[i]);
    }
    return pairs;
}

/// Replaces tokens by their order of appearance, and counters by their distance from the lowest.
class Names {
public:
    explicit Names(std::int64_t ahead) : ahead_(ahead) {}

    void find_lowest(const Pairs& pairs) {
        for (const auto& [one, other] : pairs) {
            if (is_counter(one, other)) lowest_ = std::min(lowest_, one.number);
        }
    }
    bool has_lowest() const { return lowest_ != kNone; }

    std::string of(const Piece& one, const Piece& other) {
        if (one.kind == Piece::Kind::token) {
            const std::string name = named(firsts_, one.text);
            if (name != named(others_, other.text)) refuse("has another token there");
            return name;
        }
        if (!is_counter(one, other)) {
            if (one.number != other.number) refuse("counts otherwise");
            return std::string(one.text);
        }
        const std::int64_t far = one.number - lowest_;
        return far < -kLongAgo ? "#past" : "#" + std::to_string(far);
    }

private:
    static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

    bool is_counter(const Piece& one, const Piece& other) const {
        return ahead_ != 0 && one.kind == Piece::Kind::number &&
               other.number - one.number == ahead_;
    }
    using Order = std::map<std::string_view, std::size_t>;

    static std::string named(Order& names, std::string_view token) {
        return "<" + std::to_string(names.try_emplace(token, names.size()).first->second) + ">";
    }

    const std::int64_t ahead_;
    std::int64_t lowest_ = kNone;
    Order firsts_;
    Order others_;
};

}  // namespace

SeenRun::SeenRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
                 std::uint32_t tries)
    : run_(algorithm, bounds, scripts, {}), tries_(tries), seen_(bounds.clients) {
    run_.on_note([this](const Event& event) { note(event); });
}

void SeenRun::note(const Event& event) {
    Seen& seen = seen_[event.client.value];
    const std::uint32_t bit = 1U << event.client.value;
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        if (BoundedClient::passes_over(sent->command, sent->node)) {
            seen.of_job.insert(sent->call);
        } else {
            seen.text += ">" + std::to_string(sent->node.value) + " " + to_string(sent->command);
        }
    } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        if (seen.of_job.erase(replied->call) == 0) seen.text += "<" + to_string(replied->reply);
    } else if (std::holds_alternative<event::Wants>(event.detail)) {
        seen.tries = 0;
        seen.wants = true;
    } else if (std::holds_alternative<event::Granted>(event.detail)) {
        seen.wants = false;
        happened_.granted |= bit;
    } else if (std::holds_alternative<event::Refused>(event.detail) ||
               std::holds_alternative<event::Failed>(event.detail)) {
        ++seen.tries;
        happened_.refused |= bit;
    }
}

Happened SeenRun::make(const Step& step) {
    happened_ = Happened();
    happened_.passes = step.kind == Step::Kind::pass;
    if (step.kind == Step::Kind::wake) {
        seen_[step.client].text += "!" + std::to_string(step.slot);
    }
    run_.make(step);
    // The past of a dead client does not count.
    if (step.kind == Step::Kind::crash) seen_[step.client] = Seen();
    if (!happened_.passes && run_.rests(step.client)) forget(seen_[step.client]);
    return happened_;
}

void SeenRun::forget(Seen& seen) const {
    if (!seen.wants) {
        seen.text.clear();
        seen.forgotten_from = 0;
    } else if (seen.forgotten_from != 0) {
        seen.text.resize(seen.forgotten_from);
    } else if (seen.tries >= tries_) {
        seen.forgotten_from = seen.text.size();
    }
}

std::vector<Step> SeenRun::warm_up(std::uint32_t rounds) {
    std::vector<Step> made;
    const auto alone = [&](std::uint8_t client) {
        const std::vector<Step> steps = offered();
        const auto own = std::ranges::find_if(steps, [&](const Step& step) {
            return is_of_client(step.kind) && step.client == client;
        });
        if (own != steps.end()) return *own;
        const auto pass = std::ranges::find(steps, Step::Kind::pass, &Step::kind);
        if (pass == steps.end()) refuse("does nothing more");
        return *pass;
    };
    for (std::uint8_t client = 0; client < seen_.size(); ++client) {
        for (std::uint32_t round = 0; round < rounds; ++round) {
            bool granted = false;
            do {
                if (made.size() == kMostWarmUp) refuse("is not granted to a client that is alone");
                made.push_back(alone(client));
                granted = make(made.back()).granted != 0 || granted;
            } while (!granted || !run_.rests(client));
        }
    }
    return made;
}

std::string SeenRun::clients() const {
    std::string text = run_.faults_text();
    for (std::uint8_t i = 0; i < seen_.size(); ++i) {
        text += "\n" + run_.waits_text(i) + (seen_[i].wants ? "|wants " : "|") + seen_[i].text;
    }
    return text;
}

TwinRun::TwinRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
                 std::uint32_t tries, Pasts& pasts)
    : one_(algorithm, bounds, scripts, tries), other_(algorithm, bounds, scripts, tries) {
    const auto begin = [](SeenRun& run, std::vector<Step>& past, std::uint32_t rounds) {
        if (past.empty()) {
            past = run.warm_up(rounds);
        } else {
            for (const Step& step : past) run.make(step);
        }
    };
    begin(one_, pasts.one, kRounds);
    begin(other_, pasts.other, kRounds + kMore);
    const std::string one_has = one_.data();
    const std::string other_has = other_.data();
    for (const auto& [one, other] : pairs_of(one_has, other_has)) {
        const std::int64_t ahead = other.number - one.number;
        if (ahead == 0) continue;
        if (ahead_ != 0 && ahead != ahead_) refuse("has counters that do not go up together");
        ahead_ = ahead;
    }
}

std::vector<Step> TwinRun::offered() const {
    std::vector<Step> steps = one_.offered();
    if (steps != other_.offered()) refuse("can go on in other ways");
    return steps;
}

Happened TwinRun::make(const Step& step) {
    const Happened happened = one_.make(step);
    if (happened != other_.make(step)) refuse("grants or refuses otherwise");
    return happened;
}

std::string TwinRun::key() const {
    const std::array<std::string, 4> texts{one_.data(), other_.data(), one_.clients(),
                                           other_.clients()};
    const Pairs data = pairs_of(texts[0], texts[1]);
    const Pairs clients = pairs_of(texts[2], texts[3]);
    Names names(ahead_);
    names.find_lowest(data);
    if (!names.has_lowest()) names.find_lowest(clients);
    std::string key;
    for (const auto* part : {&data, &clients}) {
        for (const auto& [one, other] : *part) {
            if (one.kind == Piece::Kind::other) {
                key += one.text;
            } else {
                key += names.of(one, other);
            }
        }
    }
    return key;
}

}  // namespace locklab
