// Locks that are no article's: most are broken on purpose, as people break them, and some are
// unusual but correct. Each says what is to be found out about it. They stand apart from the
// registry, whose list stays the articles'.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/check/cause.h"
#include "harness/core/lock.h"

namespace locklab::corpus {

/// What every engine is to say of a lock.
enum class Expected : std::uint8_t { broken, stuck, correct };

struct Entry {
    Algorithm algorithm;
    std::string_view parent;  ///< the lock that it was made from: a row, or an entry
    /// F. Of a mutant: all at once, and its parent holds under them. Of a correct lock: each alone.
    std::vector<Hazard> faults;
    Expected expected = Expected::correct;
    Cause cause = Cause::unexplained;  ///< of a broken one
    std::string_view sentence;         ///< what is wrong with it, or why it is right
    bool reentrant = false;            ///< jobs take the lock a second time, and give that back
};

template <class T>
std::unique_ptr<Lock> make(Client& client, const Key& key, const LockOptions& options) {
    return std::make_unique<T>(client, key, options);
}

using MakeLock = std::unique_ptr<Lock> (*)(Client& client, const Key& key,
                                           const LockOptions& options);

/// Two clients can be inside at once under the faults, or a fencing token is old, for this cause.
Entry broken(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
             Cause cause, std::string_view sentence, const LockOptions& options, MakeLock make);
/// Under the faults a client can wait for ever for a lock that nobody has.
Entry stuck(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
            std::string_view sentence, const LockOptions& options, MakeLock make);
/// It holds without faults, and under each of them alone.
Entry correct(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
              std::string_view sentence, const LockOptions& options, MakeLock make);
/// Its jobs take the lock a second time, and give that back.
void reentrant(Entry& entry);

/// How a theme adds its locks to the list: one after the other, each with the same options.
class Theme {
public:
    /// What else all of them have.
    using Mark = void (*)(Entry& entry);

    Theme(
        std::vector<Entry>& entries, const LockOptions& options, Mark mark = [](Entry&) {})
        : entries_(entries), options_(options), mark_(mark) {}

    template <class T>
    void broken(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
                Cause cause, std::string_view sentence) const {
        add(corpus::broken(name, parent, std::move(faults), cause, sentence, options_, make<T>));
    }
    template <class T>
    void stuck(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
               std::string_view sentence) const {
        add(corpus::stuck(name, parent, std::move(faults), sentence, options_, make<T>));
    }
    template <class T>
    void correct(std::string_view name, std::string_view parent, std::vector<Hazard> faults,
                 std::string_view sentence) const {
        add(corpus::correct(name, parent, std::move(faults), sentence, options_, make<T>));
    }

private:
    void add(Entry entry) const {
        mark_(entry);
        entries_.push_back(std::move(entry));
    }

    std::vector<Entry>& entries_;
    const LockOptions options_;
    const Mark mark_;
};

/// All of them, theme by theme.
const std::vector<Entry>& entries();
/// Apart from them: what is expected where two tasks share each lock object. With one task to an
/// object, every one of these holds.
const std::vector<Entry>& shared_object_entries();
/// Null if there is none of this name.
const Entry* entry_named(std::string_view name);

}  // namespace locklab::corpus
