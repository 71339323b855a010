// Rows that a long run has finished, each a line of JSON in a file, so that a run that was stopped
// can go on.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/record/files.h"
#include "harness/record/json_line.h"

namespace locklab {

/// `Row` has read_row() and to_json().
template <class Row>
class KeptRows {
public:
    /// Reads the file, if it exists. Leaves out a last line that was cut off by a kill. Throws
    /// FileError, and FormatError with the first line that is no row. `what`: "no failover".
    KeptRows(std::filesystem::path path, const std::string& what) : path_(std::move(path)) {
        if (!std::filesystem::exists(path_)) return;
        std::ifstream in = open_to_read(path_);
        std::string text;
        for (std::size_t line = 1; std::getline(in, text); ++line) {
            const bool cut_off = in.eof();
            try {
                read_row(nlohmann::ordered_json::parse(text), rows_.emplace_back());
            } catch (const std::exception& error) {
                rows_.pop_back();
                if (cut_off) return;
                throw FormatError(path_.string() + ":" + std::to_string(line) + ": is " + what +
                                  " (" + error.what() +
                                  "); right would be another folder, or to remove the file");
            }
        }
    }

    const std::vector<Row>& rows() const { return rows_; }
    /// Throws FileError.
    void add(const Row& row) {
        rows_.push_back(row);
        std::string text;
        for (const Row& each : rows_) text += to_json(each).dump() + "\n";
        write_file(path_, text);
    }

private:
    std::filesystem::path path_;
    std::vector<Row> rows_;
};

}  // namespace locklab
