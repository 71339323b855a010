// Locks that several may have at once: semaphores of two, which count in their key, and read-write
// locks, whose key says who writes, or how many read.
#include "tests/corpus/lock_parts.h"
#include "tests/corpus/themes.h"

namespace locklab::corpus {

namespace {

using enum Hazard;

/// The key is gone with the last, so that who comes late finds nothing to count down.
constexpr Script kCountDown{"count_down",
                            "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                            "if n == 0 then return 0 end "
                            "if n == 1 then return redis.call('del', KEYS[1]) end "
                            "redis.call('decr', KEYS[1]) return 1"};

constexpr Script kCountUp{"count_up",
                          "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                          "if n >= 2 then return 0 end "
                          "redis.call('psetex', KEYS[1], ARGV[1], n + 1) return 1"};
constexpr Script kCountUpToThree{"count_up_to_three",
                                 "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                                 "if n > 2 then return 0 end "
                                 "redis.call('psetex', KEYS[1], ARGV[1], n + 1) return 1"};
constexpr Script kCountForEver{"count_for_ever",
                               "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                               "if n >= 2 then return 0 end "
                               "redis.call('incr', KEYS[1]) return 1"};

/// One script counts up and gives the key its time, one counts down.
template <const Script& up>
struct CountsUp : TokenLock {
    using TokenLock::TokenLock;
    Task<Reply> take() override { return run(up, key_, ttl_ms()); }
    bool took(const Reply& reply) override { return reply.is_integer(1); }
    Task<Reply> give_back() override { return run(kCountDown, key_); }
};
using TwoAtOnce = CountsUp<kCountUp>;

struct LooksThenCounts final : TwoAtOnce {
    using CountsUp::CountsUp;
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

struct CountsDownWhenRefused final : TwoAtOnce {
    using CountsUp::CountsUp;
    Task<Acquired> try_acquire() override {
        Acquired acquired = co_await TwoAtOnce::try_acquire();
        if (acquired.grant() == nullptr) co_await give_back();
        co_return acquired;
    }
};

struct CountsDownUntilTold final : TwoAtOnce {
    using CountsUp::CountsUp;
    Task<Reply> give_back() override {
        Reply reply = Reply::unknown();
        while (reply.is_unknown()) reply = co_await client_.eval(kCountDown, key_);
        co_return reply;
    }
};

struct CountsForEver final : TwoAtOnce {
    using CountsUp::CountsUp;
    Task<Reply> take() override { return run(kCountForEver, key_); }
};

constexpr Script kReadOneMore{"read_one_more",
                              "local n = redis.call('get', KEYS[1]) or '0' "
                              "if not tonumber(n) then return 0 end "
                              "redis.call('psetex', KEYS[1], ARGV[1], n + 1) return 1"};
constexpr Script kReadOneLess{"read_one_less",
                              "local n = tonumber(redis.call('get', KEYS[1]) or '0') "
                              "if not n or n == 0 then return 0 end "
                              "if n == 1 then return redis.call('del', KEYS[1]) end "
                              "redis.call('decr', KEYS[1]) return 1"};
constexpr Script kNoOtherWriter{"no_other_writer",
                                "local n = redis.call('get', KEYS[1]) "
                                "if n and not tonumber(n) then return 0 end "
                                "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};
constexpr Script kNoReader{"no_reader",
                           "local n = redis.call('get', KEYS[1]) "
                           "if n and tonumber(n) then return 0 end "
                           "redis.call('psetex', KEYS[1], ARGV[2], ARGV[1]) return 1"};

/// Who writes puts its token into the key, who reads counts there.
struct ReadWrite : TokenLock {
    using TokenLock::TokenLock;
    bool reads() const { return client_.mode() == Mode::shared; }
    Task<Reply> take() override { return reads() ? take_to_read() : take_to_write(); }
    bool took(const Reply& reply) override { return reply.is_ok() || reply.is_integer(1); }
    Task<Reply> give_back() override { return reads() ? read_enough() : TokenLock::give_back(); }

    virtual Task<Reply> take_to_write() { return TokenLock::take(); }
    virtual Task<Reply> take_to_read() { return run(kReadOneMore, key_, ttl_ms()); }
    virtual Task<Reply> read_enough() { return run(kReadOneLess, key_); }
};

struct ReaderLooksFirst final : ReadWrite {
    using ReadWrite::ReadWrite;
    Task<Reply> take_to_read() override {
        const Reply seen = co_await client_.command("GET", key_);
        if (seen.is_unknown()) co_return seen;
        if (!seen.is_nil() && seen.text() > "9") co_return Reply::integer(0);
        const Reply reply = co_await client_.command("SET", key_, 1, "PX", ttl_ms());
        co_return reply;
    }
};

template <const Script& script>
struct WriterLooksForSome final : ReadWrite {
    using ReadWrite::ReadWrite;
    Task<Reply> take_to_write() override { return run(script, key_, token_, ttl_ms()); }
};

struct AnyReaderFrees final : ReadWrite {
    using ReadWrite::ReadWrite;
    Task<Reply> read_enough() override { return ask("DEL", key_); }
};

void are_two(Entry& entry) { entry.algorithm.permits = 2; }

void are_readers(Entry& entry) {
    entry.algorithm.permits = kAnyNumber;
    entry.algorithm.both_modes = true;
}

}  // namespace

void add_shared(std::vector<Entry>& entries) {
    const Theme add(entries, kLease, are_two);
    add.correct<TwoAtOnce>("two_at_once", "set_nx_lua", calm_in_time(),
                           "A script counts up to two, and one counts down.");
    add.broken<CountsUp<kCountUpToThree>>("one_too_many", "two_at_once", {}, Cause::miscounted,
                                          "It compares with > where >= is right.");
    add.broken<LooksThenCounts>("looks_then_counts", "two_at_once", {}, Cause::miscounted,
                                "Another may count between the look and the count.");
    add.broken<CountsDownWhenRefused>("counts_down_when_refused", "two_at_once", {},
                                      Cause::miscounted,
                                      "Who was refused gives back what it never had.");
    add.broken<CountsDownUntilTold>(
        "counts_down_until_told", "two_at_once", {lose_reply}, Cause::miscounted,
        "A count down that ran already, and was not answered, is sent again.");
    const Theme endless(entries, kNoExpiry, are_two);
    endless.stuck<CountsForEver>("counts_for_ever", "two_at_once", {crash, crash},
                                 "The count has no time to live, and who crashes stays counted.");
    const Theme mixed(entries, kLease, are_readers);
    mixed.correct<ReadWrite>("readers_and_a_writer", "set_nx_lua", calm_in_time(),
                             "The key says who writes, or how many read.");
    const char* const kParent = "readers_and_a_writer";
    mixed.broken<ReaderLooksFirst>("reader_looks_first", kParent, {}, Cause::miscounted,
                                   "A writer may come between a reader's look and its count.");
    mixed.broken<WriterLooksForSome<kNoOtherWriter>>("writer_sees_only_writers", kParent, {},
                                                     Cause::miscounted,
                                                     "Who writes does not look for readers.");
    mixed.broken<AnyReaderFrees>("any_reader_frees", kParent, {}, Cause::miscounted,
                                 "The first reader to leave deletes the key of all.");
    mixed.broken<WriterLooksForSome<kNoReader>>("writers_share", kParent, {}, Cause::miscounted,
                                                "Who writes does not look for writers.");
}

}  // namespace locklab::corpus
