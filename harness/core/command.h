// A Redis command as the client sends it: its words, or a script with its keys and arguments.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/core/assert.h"
#include "harness/core/names.h"
#include "harness/core/time.h"

namespace locklab {

/// What a command did to the lock's key: the difference between the key before and after it. The
/// keyspace tells it, never the lock that is judged.
struct KeyEffect {
    enum class Kind : std::uint8_t {
        none,      ///< the key is as it was
        created,   ///< there was no key; now there is
        replaced,  ///< there was a key; its value was written again
        extended,  ///< the same holder's value, perhaps counted up or down, or a new time to live
        deleted,   ///< there was a key; now there is none
    };
    enum class Source : std::uint8_t {
        seen,       ///< in the keyspace, or in a history
        replayed,   ///< the keyspace was not seen: a model gave the same reply
        uncertain,  ///< the keyspace was not seen, and the replies allow more than this
        untold,     ///< not computed yet: see KeyShadow in harness/store
    };
    Kind kind = Kind::none;
    /// Time to live that the key has from now on; zero if it never expires, or is unknown.
    Duration ttl{0};
    Source source = Source::seen;

    bool operator==(const KeyEffect&) const = default;
};

/// A Lua script, as its algorithm's file has it. Scripts are compared by address: make them
/// `constexpr` at namespace scope, one for each script.
struct Script {
    std::string_view name;
    std::string_view lua;
};

class Command {
public:
    static constexpr std::size_t kMostWords = 16;
    static constexpr std::size_t kMostBytes = 0xFFFF;

    Command() = default;
    /// A script without its words yet; its keys must be added first. `keys`: how many there are.
    explicit Command(const Script& script, std::uint8_t keys = 1) : keys_(keys), script_(&script) {}

    /// The words of a command: text, Key, Token, whole numbers.
    template <class... Words>
    static Command of(const Words&... words) {
        Command command;
        command.assign(words...);
        return command;
    }
    /// The same, reusing the memory of this command.
    template <class... Words>
    void assign(const Words&... words) {
        clear();
        (add(words), ...);
    }

    /// A script with one key, and its arguments.
    template <class... Words>
    static Command eval(const Script& script, const Key& key, const Words&... arguments) {
        Command command;
        command.assign_eval(script, key, arguments...);
        return command;
    }
    template <class... Words>
    void assign_eval(const Script& script, const Key& key, const Words&... arguments) {
        assign(key, arguments...);
        script_ = &script;
    }

    void clear() {
        bytes_.clear();
        count_ = 0;
        keys_ = 1;
        script_ = nullptr;
    }
    /// Throws RefusedCommand if there are too many words or bytes.
    void add(std::string_view word) {
        if (count_ == kMostWords || bytes_.size() + word.size() > kMostBytes) refuse_word();
        bytes_.append(word);
        ends_[count_++] = static_cast<std::uint16_t>(bytes_.size());
    }
    void add(const char* word) { add(std::string_view(word)); }
    void add(const Key& key) { add(std::string_view(key.name)); }
    void add(const Token& token) { add(std::string_view(token.text)); }
    template <std::integral Number>
    void add(Number number) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
    }

    /// Something that writes several words itself, because they belong together.
    template <class Words>
    requires requires(const Words& words, Command& command) { words.add_to(command); }
    void add(const Words& words) { words.add_to(*this); }

    /// Null for a plain command.
    const Script* script() const { return script_; }
    /// For a script: how many of its words are keys.
    std::size_t keys() const { return keys_; }
    /// Words of a plain command (the name is word 0); of a script: KEYS[1], ..., ARGV[1], ...
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    /// Neither a plain command nor a script.
    bool is_none() const { return count_ == 0 && script_ == nullptr; }
    /// The size of all words together.
    std::size_t bytes() const { return bytes_.size(); }
    std::string_view operator[](std::size_t i) const {
        LOCKLAB_ASSERT(i < count_);
        const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
        return std::string_view(bytes_).substr(begin, ends_[i] - begin);
    }
    /// Word i as a whole number; 0 if it is none.
    std::int64_t number(std::size_t i) const;

    /// The key that the command is about: KEYS[1], or word 1; for EVAL and EVALSHA, which have a
    /// script first, word 3. Empty if there is none.
    std::string_view key() const;

private:
    [[noreturn]] void refuse_word() const;

    std::string bytes_;
    std::array<std::uint16_t, kMostWords> ends_{};
    std::uint32_t count_ = 0;
    std::uint8_t keys_ = 1;
    const Script* script_ = nullptr;
};

/// As a person would type it: SET k t7 NX EX 10, or compare_and_delete(k, t7).
std::string to_string(const Command& command);

std::string_view name_of(KeyEffect::Kind kind);

}  // namespace locklab
