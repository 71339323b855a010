// The commands of the model, one handler each. Each replies as redis-server 7.0 does
// (https://redis.io/commands); the differential test compares the two.
#pragma once

#include "harness/store/redis/redis_call.h"

namespace locklab::redis_command {

// string_commands.cpp
Reply set(RedisCall& call);
Reply setnx(RedisCall& call);
Reply setex(RedisCall& call);
Reply psetex(RedisCall& call);
Reply get(RedisCall& call);
Reply getset(RedisCall& call);
Reply getdel(RedisCall& call);
Reply delifeq(RedisCall& call);
Reply getex(RedisCall& call);
Reply append(RedisCall& call);
Reply string_length(RedisCall& call);
Reply mget(RedisCall& call);
Reply mset(RedisCall& call);
Reply msetnx(RedisCall& call);
Reply incr(RedisCall& call);
Reply incrby(RedisCall& call);
Reply decr(RedisCall& call);
Reply decrby(RedisCall& call);

// hash_commands.cpp
Reply hset(RedisCall& call);
Reply hsetnx(RedisCall& call);
Reply hget(RedisCall& call);
Reply hdel(RedisCall& call);
Reply hexists(RedisCall& call);
Reply hincrby(RedisCall& call);
Reply hgetall(RedisCall& call);
Reply hlen(RedisCall& call);
Reply hmset(RedisCall& call);
Reply hmget(RedisCall& call);
Reply hkeys(RedisCall& call);
Reply hvals(RedisCall& call);
Reply hstrlen(RedisCall& call);

// expire_commands.cpp
Reply expire(RedisCall& call);
Reply pexpire(RedisCall& call);
Reply expireat(RedisCall& call);
Reply pexpireat(RedisCall& call);
Reply ttl(RedisCall& call);
Reply pttl(RedisCall& call);
Reply expiretime(RedisCall& call);
Reply pexpiretime(RedisCall& call);
Reply persist(RedisCall& call);

// key_commands.cpp
Reply del(RedisCall& call);
Reply exists(RedisCall& call);
Reply rename(RedisCall& call);
Reply renamenx(RedisCall& call);
Reply type(RedisCall& call);
Reply dbsize(RedisCall& call);
Reply flushall(RedisCall& call);
Reply ping(RedisCall& call);
Reply select(RedisCall& call);
Reply echo(RedisCall& call);
Reply publish(RedisCall& call);
Reply time(RedisCall& call);

// transaction_commands.cpp
Reply watch(RedisCall& call);
Reply unwatch(RedisCall& call);
Reply multi(RedisCall& call);
Reply exec(RedisCall& call);
Reply discard(RedisCall& call);

// script_commands.cpp
Reply eval(RedisCall& call);
Reply evalsha(RedisCall& call);
Reply script_load(RedisCall& call);
Reply script_exists(RedisCall& call);
Reply script_flush(RedisCall& call);

}  // namespace locklab::redis_command
