#include "harness/core/lock.h"

#include "harness/core/duration_text.h"
#include "harness/core/usage_error.h"

namespace locklab {

LockOptions its_options(ClientId client, const LockOptions& usual, const UnequalClients& unequal) {
    const ClientOptions* own = options_of(unequal, client);
    if (own == nullptr) return usual;
    LockOptions options = usual;
    if (own->ttl) {
        options = with_ttl(usual, *own->ttl);
        // Searches count whole milliseconds, and their runs must be possible in every world.
        const Duration rest = options.renewal % std::chrono::milliseconds(1);
        if (rest < options.renewal) options.renewal -= rest;
        // An interval of zero would renew endlessly at one instant.
        if (*own->ttl == Duration::zero()) options.renewal = usual.renewal;
    }
    if (own->renewal && usual.renewal != Duration::zero()) options.renewal = *own->renewal;
    return options;
}

Mode its_mode(ClientId client, const Algorithm& algorithm, const UnequalClients& unequal) {
    if (algorithm.permits == 1) return Mode::alone;
    if (!algorithm.both_modes) return Mode::shared;
    const ClientOptions* own = options_of(unequal, client);
    if (own != nullptr && own->mode) return *own->mode;
    return client.value % 2 == 0 ? Mode::shared : Mode::alone;
}

UnequalClients kept_by(const Algorithm& algorithm, UnequalClients clients) {
    for (ClientOptions& own : clients) {
        if (algorithm.defaults.ttl == Duration::zero()) own.ttl.reset();
        if (!algorithm.renews) own.renewal.reset();
        if (!algorithm.both_modes) own.mode.reset();
    }
    std::erase_if(clients,
                  [](const ClientOptions& own) { return own == ClientOptions{own.client}; });
    return clients;
}

void check_ttl(const ClientOptions& own, const LockOptions& usual) {
    const Duration tick = std::max<Duration>(usual.clock_unit, std::chrono::milliseconds(1));
    if (!own.ttl || *own.ttl % tick == Duration::zero()) return;
    throw UsageError("a client's TTL of " + to_string(*own.ttl) +
                     " is no whole number of the lock's clock unit, " + to_string(tick) +
                     "; right would be a multiple of it");
}

Duration longest_ttl(const LockOptions& usual, const UnequalClients& unequal) {
    Duration longest = usual.ttl;
    for (const ClientOptions& own : unequal) {
        longest = std::max(longest, its_options(own.client, usual, unequal).ttl);
    }
    return longest;
}

Duration told_within(const Algorithm& algorithm, const LockOptions& options,
                     const UnequalClients& unequal, Duration command_timeout) {
    if (!algorithm.renews) return Duration::zero();
    Duration longest = options.renewal;
    for (const ClientOptions& own : unequal) {
        longest = std::max(longest, its_options(own.client, options, unequal).renewal);
    }
    return longest + command_timeout;
}

}  // namespace locklab
