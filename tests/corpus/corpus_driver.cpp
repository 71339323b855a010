// A locklab that knows one verb, `driver`, and drives the locks of the corpus.

#include <cstdlib>
#include <iostream>

#include "harness/foreign/own_driver.h"
#include "tests/corpus/corpus.h"

int main(int count, char** words) {
    const auto* entry = count == 3 ? locklab::corpus::entry_named(words[2]) : nullptr;
    if (entry == nullptr) {
        std::cerr << "which lock? right would be: corpus_driver driver majority\n";
        return EXIT_FAILURE;
    }
    return locklab::drive_own_lock(entry->algorithm);
}
