// Locks that several may have at once: semaphores of two, which count in their key, and read-write
// locks, whose key says who writes, or how many read.
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

constexpr Permits kTwo = 2;

/// The key is gone with the last, so that who comes late finds nothing to count down.
constexpr Script kCountDown{"count_down",
                            "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                            "if n == 0 then return 0 end "
                            "if n == 1 then return redis.call('del', KEYS[1]) end "
                            "redis.call('decr', KEYS[1]) return 1"};

/// One script counts up and gives the key its time, one counts down.
class TwoAtOnce : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    Task<Reply> take() override {
        static constexpr Script kCountUp{"count_up",
                                         "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                                         "if n >= 2 then return 0 end "
                                         "redis.call('psetex', KEYS[1], ARGV[1], n + 1) return 1"};
        const Reply reply = co_await client_.eval(kCountUp, key_, ttl_ms());
        co_return reply;
    }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override {
        const Reply reply = co_await client_.eval(kCountDown, key_);
        co_return reply;
    }
};

class OneTooMany final : public TwoAtOnce {
public:
    using TwoAtOnce::TwoAtOnce;

protected:
    Task<Reply> take() override {
        static constexpr Script kCountUp{"count_up_to_three",
                                         "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                                         "if n > 2 then return 0 end "
                                         "redis.call('psetex', KEYS[1], ARGV[1], n + 1) return 1"};
        const Reply reply = co_await client_.eval(kCountUp, key_, ttl_ms());
        co_return reply;
    }
};

class LooksThenCounts final : public TwoAtOnce {
public:
    using TwoAtOnce::TwoAtOnce;

protected:
    Task<Reply> take() override {
        const Reply seen = co_await client_.command("GET", key_);
        if (seen.is_unknown()) co_return seen;
        if (!seen.is_nil() && seen.text() >= "2") co_return Reply::integer(0);
        const Reply counted = co_await client_.command("INCR", key_);
        if (counted.failed()) co_return counted;
        const Reply reply = co_await client_.command("PEXPIRE", key_, ttl_ms());
        co_return reply;
    }
};

class CountsDownWhenRefused final : public TwoAtOnce {
public:
    using TwoAtOnce::TwoAtOnce;
    Task<Acquired> try_acquire() override {
        Acquired acquired = co_await TwoAtOnce::try_acquire();
        if (acquired.grant() == nullptr) co_await give_back();
        co_return acquired;
    }
};

class CountsDownUntilTold final : public TwoAtOnce {
public:
    using TwoAtOnce::TwoAtOnce;

protected:
    Task<Reply> give_back() override {
        Reply reply = Reply::unknown();
        while (reply.is_unknown()) reply = co_await client_.eval(kCountDown, key_);
        co_return reply;
    }
};

class CountsForEver final : public TwoAtOnce {
public:
    using TwoAtOnce::TwoAtOnce;

protected:
    Task<Reply> take() override {
        static constexpr Script kCountUp{"count_for_ever",
                                         "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                                         "if n >= 2 then return 0 end "
                                         "redis.call('incr', KEYS[1]) return 1"};
        const Reply reply = co_await client_.eval(kCountUp, key_);
        co_return reply;
    }
};

/// Who writes puts its token into the key, who reads counts there.
class ReadWrite : public TokenLock {
public:
    using TokenLock::TokenLock;

protected:
    bool reads() const { return client_.mode() == Mode::shared; }
    Task<Reply> take() override { return reads() ? take_to_read() : take_to_write(); }
    bool took(const Reply& reply) override { return reply.is_ok() || reply.is_integer(1); }
    Task<Reply> give_back() override { return reads() ? read_enough() : TokenLock::give_back(); }

    virtual Task<Reply> take_to_write() { return TokenLock::take(); }
    virtual Task<Reply> take_to_read() {
        static constexpr Script kReadOneMore{
            "read_one_more",
            "local n = redis.call('get', KEYS[1]) or '0' "
            "if not tonumber(n) then return 0 end "
            "redis.call('psetex', KEYS[1], ARGV[1], n + 1) return 1"};
        const Reply reply = co_await client_.eval(kReadOneMore, key_, ttl_ms());
        co_return reply;
    }
    virtual Task<Reply> read_enough() {
        static constexpr Script kReadOneLess{
            "read_one_less",
            "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
            "if not n or n == 0 then return 0 end "
            "if n == 1 then return redis.call('del', KEYS[1]) end "
            "redis.call('decr', KEYS[1]) return 1"};
        const Reply reply = co_await client_.eval(kReadOneLess, key_);
        co_return reply;
    }
};

class ReaderLooksFirst final : public ReadWrite {
public:
    using ReadWrite::ReadWrite;

protected:
    Task<Reply> take_to_read() override {
        const Reply seen = co_await client_.command("GET", key_);
        if (seen.is_unknown()) co_return seen;
        if (!seen.is_nil() && seen.text() > "9") co_return Reply::integer(0);
        const Reply reply = co_await client_.command("SET", key_, 1, "PX", ttl_ms());
        co_return reply;
    }
};

class WriterSeesOnlyWriters final : public ReadWrite {
public:
    using ReadWrite::ReadWrite;

protected:
    Task<Reply> take_to_write() override {
        static constexpr Script kNoOtherWriter{
            "no_other_writer",
            "local n = redis.call('get', KEYS[1]) "
            "if n and not tonumber(n) then return 0 end "
            "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};
        const Reply reply = co_await client_.eval(kNoOtherWriter, key_, token_, ttl_ms());
        co_return reply;
    }
};

class AnyReaderFrees final : public ReadWrite {
public:
    using ReadWrite::ReadWrite;

protected:
    Task<Reply> read_enough() override {
        const Reply reply = co_await client_.command("DEL", key_);
        co_return reply;
    }
};

class WritersShare final : public ReadWrite {
public:
    using ReadWrite::ReadWrite;

protected:
    Task<Reply> take_to_write() override {
        static constexpr Script kNoReader{
            "no_reader",
            "local n = redis.call('get', KEYS[1]) "
            "if n and tonumber(n) then return 0 end "
            "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};
        const Reply reply = co_await client_.eval(kNoReader, key_, token_, ttl_ms());
        co_return reply;
    }
};

Entry of_two(Entry entry) {
    entry.algorithm.permits = kTwo;
    return entry;
}

Entry of_readers(Entry entry) {
    entry.algorithm.permits = kAnyNumber;
    entry.algorithm.both_modes = true;
    return entry;
}

}  // namespace

void add_shared(std::vector<Entry>& entries) {
    const std::vector<Hazard> calm{crash, lose_request, lose_reply, clock_offset, clock_jump};
    entries.push_back(of_two(correct("two_at_once", "set_nx_lua", calm,
                                     "A script counts up to two, and one counts down.", kLease,
                                     make<TwoAtOnce>)));
    const auto wrong = [&](std::string_view name, std::vector<Hazard> faults,
                           std::string_view sentence, MakeLock make_lock) {
        entries.push_back(of_two(broken(name, "two_at_once", std::move(faults), Cause::miscounted,
                                        sentence, kLease, make_lock)));
    };
    wrong("one_too_many", {}, "It compares with > where >= is right.", make<OneTooMany>);
    wrong("looks_then_counts", {}, "Another may count between the look and the count.",
          make<LooksThenCounts>);
    wrong("counts_down_when_refused", {}, "Who was refused gives back what it never had.",
          make<CountsDownWhenRefused>);
    wrong("counts_down_until_told", {lose_reply},
          "A count down that ran already, and was not answered, is sent again.",
          make<CountsDownUntilTold>);
    entries.push_back(of_two(stuck("counts_for_ever", "two_at_once", {crash, crash},
                                   "The count has no time to live, and who crashes stays counted.",
                                   kNoExpiry, make<CountsForEver>)));
    entries.push_back(
        of_readers(correct("readers_and_a_writer", "set_nx_lua", calm,
                           "The key says who writes, or how many read.", kLease, make<ReadWrite>)));
    const auto mixed = [&](std::string_view name, std::string_view sentence, MakeLock make_lock) {
        entries.push_back(of_readers(broken(name, "readers_and_a_writer", {}, Cause::miscounted,
                                            sentence, kLease, make_lock)));
    };
    mixed("reader_looks_first", "A writer may come between a reader's look and its count.",
          make<ReaderLooksFirst>);
    mixed("writer_sees_only_writers", "Who writes does not look for readers.",
          make<WriterSeesOnlyWriters>);
    mixed("any_reader_frees", "The first reader to leave deletes the key of all.",
          make<AnyReaderFrees>);
    mixed("writers_share", "Who writes does not look for writers.", make<WritersShare>);
}

}  // namespace locklab::corpus
