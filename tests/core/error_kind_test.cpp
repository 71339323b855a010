#include "harness/core/error_kind.h"

#include <gtest/gtest.h>

#include "harness/core/server_error.h"

namespace locklab::error_kind_test {
namespace {

constexpr Script kRelease{"release", "return redis.call('del', KEYS[1])"};

TEST(ErrorKind, a_command_gets_only_what_redis_could_answer) {
    const Command get = Command::of("GET", "lock");
    const Command del = Command::of("del", "lock");
    const Command set = Command::of("SET", "lock", "x", "NX");
    const Command digest = Command::of("EVALSHA", "0123", "1", "lock");
    const Command script = Command::eval(kRelease, Key{"lock"});
    for (const ErrorKind kind : {ErrorKind::loading, ErrorKind::busy, ErrorKind::clusterdown}) {
        for (const Command& any : {get, del, set, digest, script}) {
            EXPECT_EQ(kind_for(any, kind), kind);
        }
    }
    EXPECT_EQ(kind_for(get, ErrorKind::readonly), ErrorKind::loading) << "a replica reads";
    EXPECT_EQ(kind_for(del, ErrorKind::readonly), ErrorKind::readonly);
    EXPECT_EQ(kind_for(del, ErrorKind::oom), ErrorKind::loading) << "it frees memory";
    EXPECT_EQ(kind_for(set, ErrorKind::oom), ErrorKind::oom);
    EXPECT_EQ(kind_for(script, ErrorKind::noscript), ErrorKind::loading) << "its text is there";
    EXPECT_EQ(kind_for(digest, ErrorKind::noscript), ErrorKind::noscript);
    EXPECT_EQ(kind_for("evalsha", ErrorKind::noscript), ErrorKind::noscript);
}

TEST(ErrorKind, each_is_known_by_its_first_word) {
    for (const ErrorKindRow& row : kErrorKinds) {
        EXPECT_EQ(error_kind_named(row.code), row.kind);
        EXPECT_EQ(row.words.substr(0, row.words.find(' ')), row.code);
        // A script that is not there is the client's business.
        EXPECT_EQ(is_servers_own(row.words), row.kind != ErrorKind::noscript) << row.code;
    }
    EXPECT_FALSE(error_kind_named("WRONGTYPE"));
}

}  // namespace
}  // namespace locklab::error_kind_test
