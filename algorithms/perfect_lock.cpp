// Article: none; the upper bound of every table.
// Idea:    ask an oracle of the harness, which no fault strikes and which learns of a crash
//          at once. No such lock can be built.
// Claims:  mutual exclusion and progress under everything.
// Breaks:  never. A checker that flags it in a campaign is wrong. A write that was sent before a
//          crash and lands after it is no lock's fault: see write_outlives_its_holder.
#include "algorithms/algorithms.h"

namespace locklab {

namespace {

class PerfectLock final : public Lock {
public:
    explicit PerfectLock(Client& client) : client_(client) {}

    Task<Acquired> try_acquire() override {
        const Reply taken = co_await client_.ask_oracle("TAKE");
        if (!taken.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }

    Task<Release> release() override {
        const Reply given = co_await client_.ask_oracle("GIVE");
        co_return given.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
};

}  // namespace

std::unique_ptr<Lock> make_perfect_lock(Client& client, const Key&, const LockOptions&) {
    return std::make_unique<PerfectLock>(client);
}

}  // namespace locklab
