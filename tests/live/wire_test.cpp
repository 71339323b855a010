#include "harness/live/wire.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace locklab::wire_test {
namespace {

/// What hiredis itself makes of words.
std::string made_by_hiredis(const std::vector<std::string>& words) {
    std::vector<const char*> texts;
    std::vector<std::size_t> lengths;
    for (const std::string& word : words) {
        texts.push_back(word.data());
        lengths.push_back(word.size());
    }
    char* bytes = nullptr;
    const int size = redisFormatCommandArgv(&bytes, static_cast<int>(words.size()), texts.data(),
                                            lengths.data());
    std::string text(bytes, static_cast<std::size_t>(size));
    redisFreeCommand(bytes);
    return text;
}

std::string text_of(const WireRequest& request) { return {request.data(), request.size()}; }

constexpr Script kScript{"answer", "return redis.call('GET', KEYS[1])"};

TEST(WireTest, a_request_is_what_hiredis_makes_of_the_words) {
    WireRequest request;
    request.put(Command::of("PING"));
    EXPECT_EQ(text_of(request), made_by_hiredis({"PING"}));

    const std::string any_bytes{"\r\n\0$1", 5};
    request.put(Command::of("SET", any_bytes, "", std::string(1234, 'x'), -12));
    EXPECT_EQ(text_of(request),
              made_by_hiredis({"SET", any_bytes, "", std::string(1234, 'x'), "-12"}));

    Command longest;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < Command::kMostWords; ++i) {
        words.push_back(std::to_string(i));
        longest.add(words.back());
    }
    request.put(longest);
    EXPECT_EQ(text_of(request), made_by_hiredis(words));
}

TEST(WireTest, a_script_goes_by_its_digest_or_as_its_text) {
    const Command command = Command::eval(kScript, Key{"k"}, "a", 30);
    WireRequest request;
    request.put_evalsha(command, "0123456789abcdef");
    EXPECT_EQ(text_of(request),
              made_by_hiredis({"EVALSHA", "0123456789abcdef", "1", "k", "a", "30"}));
    request.put_eval(command);
    EXPECT_EQ(text_of(request),
              made_by_hiredis({"EVAL", std::string(kScript.lua), "1", "k", "a", "30"}));
}

TEST(WireTest, a_short_request_follows_a_long_one) {
    WireRequest request;
    request.put(Command::of("SET", "k", std::string(500, 'x')));
    request.put(Command::of("DEL", "k"));
    EXPECT_EQ(text_of(request), made_by_hiredis({"DEL", "k"}));
}

}  // namespace
}  // namespace locklab::wire_test
