#include "harness/core/client_options.h"

#include <algorithm>
#include <stdexcept>

#include "harness/core/duration_text.h"
#include "harness/core/nearest.h"

namespace locklab {

namespace {

/// Times computed from one this long do not overflow.
constexpr Duration kLongestOfClient = std::chrono::hours(24);

/// Finds or inserts the client's entry.
ClientOptions& entry_of(UnequalClients& clients, ClientId client) {
    const auto at = std::find_if(clients.begin(), clients.end(),
                                 [&](const ClientOptions& one) { return one.client >= client; });
    if (at != clients.end() && at->client == client) return *at;
    return *clients.insert(at, ClientOptions{client});
}

/// Reads "B=...,C=..."; `read` gets the text after each sign, and returns nothing if it is wrong.
template <class Value, class Read>
void read_each(std::string_view text, std::optional<Value> ClientOptions::*option, Read read,
               const std::string& right, UnequalClients& clients) {
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const bool named = part.size() > 2 && part[0] >= 'A' && part[0] <= 'Z' && part[1] == '=';
        const std::optional<Value> value = named ? read(part.substr(2)) : std::nullopt;
        if (!value) {
            throw std::invalid_argument(in_quotes(part) + " is no client's " + right +
                                        ", several joined by commas (A is the first client)");
        }
        ClientOptions& options = entry_of(clients, ClientId{static_cast<unsigned>(part[0] - 'A')});
        if (options.*option) {
            throw std::invalid_argument("client " + std::string(1, part[0]) +
                                        " is named twice in " + in_quotes(text) +
                                        "; right would be once");
        }
        options.*option = value;
        begin = end + 1;
    }
}

}  // namespace

const ClientOptions* options_of(const UnequalClients& clients, ClientId client) {
    for (const ClientOptions& one : clients) {
        if (one.client == client) return &one;
    }
    return nullptr;
}

void read_client_times(std::string_view text, ClientTime time, UnequalClients& clients) {
    // A TTL of 0 is a possible mistake: Redis answers it with an error, or deletes the key.
    const Duration least = time == &ClientOptions::ttl ? Duration::zero() : Duration(1);
    const auto read = [least](std::string_view value) {
        std::optional<Duration> length = parse_duration(value);
        const bool right = length && *length >= least && *length <= kLongestOfClient;
        if (!right) length.reset();
        return length;
    };
    read_each(text, time, read, "time up to a day; right would be B=500ms", clients);
}

void read_client_modes(std::string_view text, UnequalClients& clients) {
    read_each(text, &ClientOptions::mode, mode_named, "mode; right would be B=alone or B=shared",
              clients);
}

std::string to_string(const ClientOptions& options) {
    std::string text;
    const auto add = [&](const char* words, const std::optional<Duration>& time) {
        if (time) text += (text.empty() ? "" : ", ") + std::string(words) + to_string(*time);
    };
    add("has a TTL of ", options.ttl);
    add("renews every ", options.renewal);
    add("has jobs of ", options.job);
    if (options.mode) {
        text += (text.empty() ? "" : ", ");
        text += *options.mode == Mode::alone ? "wants it alone" : "shares it";
    }
    return text;
}

}  // namespace locklab
