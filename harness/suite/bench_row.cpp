#include "harness/suite/bench_row.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/bench/tables.h"
#include "harness/record/row_io.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

/// Keys of a row that are not part of the benchmark's name.
constexpr std::array<std::string_view, 6> kOwnKeys{"name",    "repetitions", "error",
                                                   "time_us", "figures",     "ratio"};

}  // namespace

template <class Io, RowOf<Median> Row>
void fields(Io& io, Row& median) {
    io("value", median.value);
    io("low", median.low);
    io("high", median.high);
    io("values", median.values);
}

Json to_json(const BenchmarkRow& row) {
    RowWriter io;
    io("name", row.name);
    for (const auto& [key, value] : row.parts) io(key, value);
    io("repetitions", row.repetitions);
    io.or_null("error", row.error);
    if (row.repetitions == 0) return io.take();
    io("time_us", row.time_us);
    io("figures", Named<Median>(row.figures.begin(), row.figures.end()));
    const auto ratio = row.figures.find("ratio_to_floor");
    if (ratio != row.figures.end()) io.derived("ratio", ratio_text(ratio->second));
    return io.take();
}

void read_row(const Json& json, BenchmarkRow& row) {
    RowReader io(json);
    io("name", row.name);
    for (const auto& [key, value] : json.items()) {
        const bool is_part = std::find(kOwnKeys.begin(), kOwnKeys.end(), key) == kOwnKeys.end();
        if (is_part) row.parts[key] = value.get<std::string>();
    }
    io("repetitions", row.repetitions);
    io.or_null("error", row.error);
    if (row.repetitions == 0) return;
    io("time_us", row.time_us);
    Named<Median> figures;
    io("figures", figures);
    row.figures.insert(figures.begin(), figures.end());
}

Json to_json(const BenchRows& bench) {
    Json json;
    json["rows"] = rows_json(bench.rows);
    json["noise"] = bench.noise;
    for (const auto& [name, version] : bench.versions) json["versions"][name] = version;
    return json;
}

void read_row(const Json& json, BenchRows& bench) {
    read_rows(json.at("rows"), bench.rows);
    json.at("noise").get_to(bench.noise);
    if (!json.contains("versions")) return;
    for (const auto& [name, version] : json.at("versions").items()) {
        bench.versions.emplace_back(name, version.get<std::string>());
    }
}

Json benchmark_json(const BenchmarkResult& result) {
    Json json = Json::parse(result.json);
    for (const auto& [name, version] : result.versions) json["context"][name] = version;
    json["rows"] = rows_json(result.rows);
    json["noise"] = result.noise;
    return json;
}

}  // namespace locklab
