#include "harness/proxy/resp_scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/core/limits.h"

namespace locklab::resp_scanner_test {
namespace {

using Found = RespScanner::Found;
using Speaker = RespScanner::Speaker;

/// Frames in pieces of so many bytes; after nonsense, its complaint.
std::vector<std::string> frames_of(Speaker speaker, const std::string& bytes, std::size_t piece) {
    RespScanner scanner(speaker);
    std::vector<std::string> frames(1);
    for (std::size_t at = 0; at < bytes.size();) {
        const auto step = scanner.scan(std::string_view(bytes).substr(at, piece));
        frames.back() += bytes.substr(at, step.used);
        at += step.used;
        if (step.found == Found::nonsense) {
            frames.back() = scanner.complaint();
            return frames;
        }
        if (step.found == Found::frame) frames.emplace_back();
    }
    if (frames.back().empty()) frames.pop_back();
    return frames;
}

void expect_frames(Speaker speaker, const std::vector<std::string>& frames) {
    std::string bytes;
    for (const std::string& frame : frames) bytes += frame;
    for (const std::size_t piece : {1U, 2U, 3U, 7U, 1000U}) {
        EXPECT_EQ(frames_of(speaker, bytes, piece), frames) << piece;
    }
}

std::string complaint_of(Speaker speaker, const std::string& bytes) {
    const std::string whole = frames_of(speaker, bytes, 1000).back();
    EXPECT_EQ(frames_of(speaker, bytes, 1).back(), whole);
    return whole;
}

TEST(RespScanner, ends_each_reply_of_both_versions) {
    expect_frames(Speaker::server, {"+OK\r\n",
                                    "-ERR no\r\n",
                                    ":-12\r\n",
                                    "$-1\r\n",
                                    "$0\r\n\r\n",
                                    "$4\r\n\r\n\r\n\r\n",
                                    std::string("$3\r\n\0\xff*\r\n", 9),
                                    "*-1\r\n",
                                    "*0\r\n",
                                    "*2\r\n*2\r\n:1\r\n$-1\r\n*1\r\n*1\r\n*0\r\n",
                                    "_\r\n",
                                    "#t\r\n",
                                    ",1.5e3\r\n",
                                    "(123456789012345678901234567890\r\n",
                                    "!5\r\nERR x\r\n",
                                    "=7\r\ntxt:abc\r\n",
                                    "%2\r\n+a\r\n:1\r\n+b\r\n%1\r\n+c\r\n_\r\n",
                                    "~2\r\n:1\r\n:2\r\n",
                                    ">3\r\n+message\r\n+c\r\n$1\r\nx\r\n",
                                    "|1\r\n+ttl\r\n:3600\r\n*2\r\n:1\r\n|1\r\n+a\r\n+b\r\n:2\r\n"});
}

TEST(RespScanner, ends_each_command) {
    expect_frames(Speaker::client,
                  {"*1\r\n$4\r\nPING\r\n", "*2\r\n$4\r\nECHO\r\n$2\r\n\r\n\r\n", "PING\r\n",
                   "SET a b\n", "\r\n", "\n", "*0\r\n", "*-1\r\n", "*1\r\n$0\r\n\r\n"});
}

TEST(RespScanner, knows_the_type_behind_an_attribute) {
    RespScanner scanner(Speaker::server);
    scanner.scan("|1\r\n+a\r\n*1\r\n:1\r\n%0\r\n");
    EXPECT_EQ(scanner.type(), '%');
    scanner.scan("*1\r\n>0\r\n");
    EXPECT_EQ(scanner.type(), '*');
}

TEST(RespScanner, refuses_what_is_no_reply) {
    const auto complaint = [](const std::string& bytes) {
        return complaint_of(Speaker::server, bytes);
    };
    const std::string long_ago = "it is longer than 16 MB";
    EXPECT_EQ(complaint("HTTP/1.1 400\r\n"), "no type begins with this byte");
    EXPECT_EQ(complaint(std::string("\0", 1)), "no type begins with this byte");
    EXPECT_EQ(complaint("$1099511627776\r\n"), long_ago);
    EXPECT_EQ(complaint("*1099511627776\r\n"), long_ago);
    EXPECT_EQ(complaint("%1099511627776\r\n"), long_ago);
    EXPECT_EQ(complaint("$999999999999999999999\r\n"), "its length is no number");
    EXPECT_EQ(complaint("$?\r\n"), "its length is no number");
    EXPECT_EQ(complaint("$\r\n"), "its length is no number");
    EXPECT_EQ(complaint("$-2\r\n"), "its length is negative");
    EXPECT_EQ(complaint("~-1\r\n"), "its length is negative");
    EXPECT_EQ(complaint("$1\r\nab\r\n"), "a text is longer than it says");
    EXPECT_EQ(complaint("+a\rb\r\n"), "a carriage return stands without its line feed");
}

TEST(RespScanner, refuses_what_is_no_command) {
    const auto complaint = [](const std::string& bytes) {
        return complaint_of(Speaker::client, bytes);
    };
    EXPECT_EQ(complaint("*1\r\n:1\r\n"), "a word of a command is no text");
    EXPECT_EQ(complaint("*1\r\n*1\r\n"), "a word of a command is no text");
    EXPECT_EQ(complaint("*1\r\n$-1\r\n"), "its length is negative");
    EXPECT_EQ(complaint("*1\r\n$1099511627776\r\n"), "it is longer than 16 MB");
    EXPECT_EQ(complaint(std::string(70'000, 'a')), "its line is longer than 64 KB");
}

TEST(RespScanner, what_never_ends_is_ended) {
    const auto bytes_taken = [](const std::string& piece, std::string begin) {
        RespScanner scanner(Speaker::server);
        scanner.scan(begin);
        for (std::size_t taken = 0;; taken += piece.size()) {
            if (scanner.scan(piece).found == Found::nonsense) return taken;
            if (taken > 2 * kMostFrame) return taken;
        }
    };
    EXPECT_LE(bytes_taken(std::string(10'000, 'a'), "+"), kMostFrame);
    std::string nested;
    for (int i = 0; i < 1000; ++i) nested += "*1\r\n";
    EXPECT_LE(bytes_taken(nested, ""), kMostFrame);
    std::string growing;
    for (int i = 0; i < 1000; ++i) growing += "*2\r\n";
    EXPECT_LE(bytes_taken(growing, ""), kMostFrame);
    std::string attributes;
    for (int i = 0; i < 1000; ++i) attributes += "|0\r\n";
    EXPECT_LE(bytes_taken(attributes, ""), kMostFrame);
}

}  // namespace
}  // namespace locklab::resp_scanner_test
