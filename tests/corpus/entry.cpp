// How the corpus says what is expected of a lock.
#include "tests/corpus/corpus.h"

namespace locklab::corpus {

namespace {

Entry entry(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
            std::string_view sentence, const LockOptions& options, MakeLock make) {
    Entry entry;
    entry.algorithm.name = name;
    entry.algorithm.label = name;
    entry.algorithm.idea = sentence;
    entry.algorithm.source = "corpus";
    entry.algorithm.colour = "#888888";
    entry.algorithm.defaults = options;
    entry.algorithm.renews = options.renewal != Duration::zero();
    entry.algorithm.make = make;
    entry.parent = parent;
    entry.faults = std::move(faults);
    entry.sentence = sentence;
    return entry;
}

}  // namespace

Entry broken(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
             Cause cause, std::string_view sentence, const LockOptions& options, MakeLock make) {
    Entry made = entry(name, parent, std::move(faults), sentence, options, make);
    made.expected = Expected::broken;
    made.cause = cause;
    return made;
}

Entry stuck(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
            std::string_view sentence, const LockOptions& options, MakeLock make) {
    Entry made = entry(name, parent, std::move(faults), sentence, options, make);
    made.expected = Expected::stuck;
    return made;
}

Entry correct(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
              std::string_view sentence, const LockOptions& options, MakeLock make) {
    return entry(name, parent, std::move(faults), sentence, options, make);
}

void reentrant(Entry& entry) {
    entry.reentrant = true;
    entry.algorithm.reentrant = true;
}

}  // namespace locklab::corpus
