#include "harness/record/csv.h"

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

std::string plain(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return value.dump();
    std::string joined;
    for (const Json& element : value) {
        if (!joined.empty()) joined += ";";
        joined += plain(element);
    }
    return joined;
}

class Table {
public:
    void begin_row() { rows_.emplace_back(); }

    void add(const std::string& name, const Json& value) {
        if (!value.is_object()) {
            const auto [place, is_new] = columns_.try_emplace(name, names_.size());
            if (is_new) names_.push_back(name);
            rows_.back()[place->second] = plain(value);
            return;
        }
        for (const auto& [key, inner] : value.items()) add(name + "_" + key, inner);
    }

    std::string text() const {
        std::string text;
        for (const std::string& name : names_) text += (text.empty() ? "" : ",") + quoted(name);
        text += "\n";
        for (const auto& row : rows_) {
            for (std::size_t i = 0; i < names_.size(); ++i) {
                if (i > 0) text += ",";
                if (const auto cell = row.find(i); cell != row.end()) text += quoted(cell->second);
            }
            text += "\n";
        }
        return text;
    }

private:
    std::vector<std::string> names_;
    std::map<std::string, std::size_t> columns_;
    std::vector<std::map<std::size_t, std::string>> rows_;
};

}  // namespace

std::string to_csv(const Json& rows) {
    Table table;
    for (const Json& row : rows) {
        table.begin_row();
        for (const auto& [key, value] : row.items()) table.add(key, value);
    }
    return table.text();
}

}  // namespace locklab
