#include "harness/foreign/script_texts.h"

#include <utility>

#include "harness/core/sha1.h"

namespace locklab {

namespace {

/// Of a digest: as many tell the scripts of a library apart.
constexpr std::size_t kDigitsShown = 8;

}  // namespace

void ScriptTexts::see(std::string text) {
    const std::string digest = to_hex(sha1(text));
    std::unique_ptr<Known>& known = known_[digest];
    if (known != nullptr) return;
    known = std::make_unique<Known>();
    known->text = std::move(text);
    known->name = "script " + digest.substr(0, kDigitsShown);
    known->script = {known->name, known->text};
}

const Script* ScriptTexts::find(std::string_view digest) const {
    const auto found = known_.find(digest);
    return found == known_.end() ? nullptr : &found->second->script;
}

}  // namespace locklab
