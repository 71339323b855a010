// A time to live in the unit that the article counts in: EX and EXPIRE for whole seconds,
// PX and PEXPIRE for anything finer. On a real Redis, campaigns count in milliseconds. So unit and
// number are written together, and never one without the other.
#pragma once

#include "harness/core/lock.h"

namespace locklab {

class Ttl {
public:
    explicit Ttl(const LockOptions& options)
        : in_seconds_(options.clock_unit >= std::chrono::seconds(1)), duration_(options.ttl) {}

    /// EXPIRE key 10, or PEXPIRE key 500: a whole command.
    class Expire {
    public:
        Expire(const Ttl& ttl, const Key& key) : ttl_(ttl), key_(key) {}
        void add_to(Command& command) const {
            command.add(ttl_.in_seconds_ ? "EXPIRE" : "PEXPIRE");
            command.add(key_);
            command.add(ttl_.count());
        }

    private:
        const Ttl& ttl_;
        const Key& key_;
    };
    /// client.command(ttl.expire(key)); `key` must live until then.
    Expire expire(const Key& key) const { return Expire(*this, key); }

    /// client.command("SET", key, value, "NX", ttl): EX 10, or PX 500.
    void add_to(Command& command) const {
        command.add(in_seconds_ ? "EX" : "PX");
        command.add(count());
    }
    /// For scripts, which count as they like.
    std::int64_t milliseconds() const { return duration_ / std::chrono::milliseconds(1); }
    Duration duration() const { return duration_; }

private:
    std::int64_t count() const {
        return in_seconds_ ? duration_ / std::chrono::seconds(1) : milliseconds();
    }

    bool in_seconds_;
    Duration duration_;
};

}  // namespace locklab
