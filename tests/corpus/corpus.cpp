#include "tests/corpus/corpus.h"

#include "tests/corpus/themes.h"

namespace locklab::corpus {

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = [] {
        std::vector<Entry> list;
        for (AddTheme* const add : kThemes) add(list);
        return list;
    }();
    return all;
}

const Entry* entry_named(std::string_view name) {
    for (const Entry& entry : entries()) {
        if (entry.algorithm.name == name) return &entry;
    }
    return nullptr;
}

}  // namespace locklab::corpus
