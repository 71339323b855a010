#include "harness/record/client_options_json.h"

#include <array>
#include <string>

#include "harness/core/limits.h"

namespace locklab {

namespace {

struct ClientTimeRow {
    const char* key;
    ClientTime time;
};

constexpr std::array<ClientTimeRow, 3> kClientTimes{{{"ttl_us", &ClientOptions::ttl},
                                                     {"renewal_us", &ClientOptions::renewal},
                                                     {"job_us", &ClientOptions::job}}};

[[noreturn]] void refuse_entry(const JsonLine& line) {
    line.fail(
        std::string(kUnequalClients) +
        " must be a list like [{\"client\":1,\"ttl_us\":500000}], each client once, in order");
}

ClientOptions read_entry(const JsonLine& line, const nlohmann::json& entry, Duration longest) {
    if (!entry.is_object() || !entry.contains("client")) refuse_entry(line);
    ClientOptions options;
    for (const auto& [key, value] : entry.items()) {
        if (key == "mode") {
            if (value.is_string()) options.mode = mode_named(value.get_ref<const std::string&>());
            if (!options.mode) refuse_entry(line);
            continue;
        }
        if (!value.is_number_unsigned()) refuse_entry(line);
        const std::uint64_t number = value.get<std::uint64_t>();
        if (key == "client") {
            if (number >= kMostClients) refuse_entry(line);
            options.client = ClientId{static_cast<std::uint32_t>(number)};
            continue;
        }
        ClientTime time = nullptr;
        for (const ClientTimeRow& row : kClientTimes) {
            if (key == row.key) time = row.time;
        }
        const bool right = time != nullptr && (number > 0 || time == &ClientOptions::ttl) &&
                           number <= static_cast<std::uint64_t>(us(longest));
        if (!right) refuse_entry(line);
        options.*time = Duration(static_cast<std::int64_t>(number));
    }
    return options;
}

}  // namespace

nlohmann::ordered_json to_json(const UnequalClients& clients) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ClientOptions& options : clients) {
        nlohmann::ordered_json entry{{"client", options.client.value}};
        for (const ClientTimeRow& row : kClientTimes) {
            if (options.*row.time) entry[row.key] = us(*(options.*row.time));
        }
        if (options.mode) entry["mode"] = name_of(*options.mode);
        list.push_back(entry);
    }
    return list;
}

UnequalClients read_unequal_clients(JsonLine& line, std::uint32_t clients, Duration longest) {
    UnequalClients read;
    if (!line.has(kUnequalClients)) return read;
    const nlohmann::json& list = line.at(kUnequalClients);
    if (!list.is_array()) refuse_entry(line);
    for (const nlohmann::json& entry : list) {
        const ClientOptions options = read_entry(line, entry, longest);
        const bool in_order = read.empty() || read.back().client < options.client;
        if (!in_order || (clients > 0 && options.client.value >= clients)) refuse_entry(line);
        read.push_back(options);
    }
    return read;
}

}  // namespace locklab
