// The observer of long work: it may stop the work, sees its progress, and gets notes on the side.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace locklab {

inline const std::atomic<bool> kNeverStopped{false};

struct Watcher {
    /// Set from a signal handler or another thread: the work ends soon, with what it has.
    const std::atomic<bool>* stop = &kNeverStopped;
    /// Gets the current progress, which replaces what was shown before. May be empty.
    std::function<void(std::string_view)> on_show;
    /// Gets a sentence to print. May be empty.
    std::function<void(const std::string&)> on_tell;

    bool stopped() const { return *stop; }
    void show(std::string_view text) const {
        if (on_show) on_show(text);
    }
    void tell(const std::string& sentence) const {
        if (on_tell) on_tell(sentence);
    }
};

}  // namespace locklab
