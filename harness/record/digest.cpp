#include "harness/record/digest.h"

#include "harness/core/limits.h"
#include "harness/core/sha1.h"
#include "harness/record/files.h"

namespace locklab {

std::string digest_of_file(const std::filesystem::path& file) {
    try {
        return to_hex(sha1(read_text(file, kMostRunFile, "a file of a run")));
    } catch (const FileError&) {
        return {};
    }
}

}  // namespace locklab
