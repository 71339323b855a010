// The scripts that a server has cached, by SHA1. EVALSHA runs only these; SCRIPT FLUSH and a
// restart remove them.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/sha1.h"

namespace locklab {

class ScriptCache {
public:
    /// Does nothing if the script is known.
    void add(const Sha1& sha, const std::shared_ptr<const std::string>& text) {
        if (find(sha) != nullptr) return;
        const auto place = std::ranges::lower_bound(scripts_, sha, {}, &Known::sha);
        scripts_.insert(place, Known{sha, text});
    }
    /// The text of the script, or null.
    const std::string* find(const Sha1& sha) const {
        for (const Known& known : scripts_) {
            if (known.sha == sha) return known.text.get();
        }
        return nullptr;
    }
    std::vector<Sha1> names() const {
        std::vector<Sha1> names;
        for (const Known& known : scripts_) names.push_back(known.sha);
        return names;
    }
    void clear() { scripts_.clear(); }
    std::size_t size() const { return scripts_.size(); }
    bool operator==(const ScriptCache&) const = default;

private:
    struct Known {
        Sha1 sha;
        std::shared_ptr<const std::string> text;
        bool operator==(const Known& other) const { return sha == other.sha; }
    };
    std::vector<Known> scripts_;  ///< ordered by SHA1
};

}  // namespace locklab
