#include "harness/foreign/script_texts.h"

#include "harness/core/sha1.h"

namespace locklab {

namespace {

/// Digits of a digest that tell the scripts of a library apart.
constexpr std::size_t kDigitsShown = 8;

std::string name_of(const std::string& signature) {
    const bool is_digest = signature.size() == 2 * Sha1{}.size();
    return is_digest ? "script " + signature.substr(0, kDigitsShown) : signature;
}

}  // namespace

ScriptTexts::Known& ScriptTexts::known(const std::string& digest) {
    std::unique_ptr<Known>& known = known_[digest];
    if (known == nullptr) {
        known = std::make_unique<Known>();
        known->name = name_of(digest);
        known->script.name = known->name;
    }
    return *known;
}

const Script& ScriptTexts::cut_off(const std::string& signature) {
    return known(name_of(signature) + " (cut off)").script;
}

void ScriptTexts::see(const std::string& text) {
    Known& its = known(to_hex(sha1(text)));
    if (!its.text.empty()) return;
    its.text = text;
    its.script.lua = its.text;
}

}  // namespace locklab
