// Tasks of one process with one lock object are holders like any others; what differs is the cause,
// where the object took one for the other.

#include "tests/check/cause_story.h"

namespace locklab::object_cause_test {
namespace {

/// Clients 0 and 1 are tasks of one process, 2 and 3 of another.
History of_two_tasks(History history) {
    history.tasks = 2;
    history.clients = 4;
    return history;
}

/// The key is deleted with the holder's token by this client, and client 3 gets the lock.
History deleted_by(std::uint32_t client) {
    const Command own = Command::eval(kDeleteOwn, Key{"k"}, "a");
    return held()
        .wants(3)
        .at(50)
        .ran(client, Phase::release, own, Reply::integer(1))
        .at(51)
        .sets(3, "b", 100)
        .granted(3, "b", 100)
        .end();
}

/// The key of client 0 lets in this client.
History let_in(std::uint32_t client) {
    return held()
        .wants(3)
        .at(50)
        .ran(client, Phase::acquire, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
        .granted(client, "a", 100)
        .end();
}

TEST(ObjectCause, another_task_passes_with_the_token_of_their_object) {
    EXPECT_EQ(only_cause(of_two_tasks(deleted_by(1))), Cause::shared_object);
    EXPECT_EQ(only_cause(of_two_tasks(let_in(1))), Cause::shared_object);
}

TEST(ObjectCause, a_task_of_another_process_has_another_object) {
    EXPECT_EQ(only_cause(of_two_tasks(deleted_by(2))), Cause::token_collision);
    EXPECT_EQ(only_cause(of_two_tasks(let_in(2))), Cause::token_collision);
    EXPECT_EQ(only_cause(deleted_by(1)), Cause::token_collision);
}

TEST(ObjectCause, a_lease_that_ran_out_is_nobodys_mistake) {
    const History history = held().at(101).sets(1, "b", 100).granted(1, "b", 100).end();
    EXPECT_EQ(only_cause(of_two_tasks(history)), Cause::expired_while_held);
}

TEST(ObjectCause, an_object_that_has_the_key_lets_in_another_without_one) {
    const auto without_key = [](std::uint32_t client) {
        return held().wants(3).at(50).granted(client, "a", 100).end();
    };
    EXPECT_EQ(only_cause(of_two_tasks(without_key(1))), Cause::shared_object);
    EXPECT_EQ(only_cause(of_two_tasks(without_key(2))), Cause::no_key);
    const History neither = Story().wants(0).wants(1).granted(0).granted(1).at(5).end();
    EXPECT_EQ(only_cause(of_two_tasks(neither)), Cause::no_key);
}

}  // namespace
}  // namespace locklab::object_cause_test
