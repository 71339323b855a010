#include "harness/live/wire.h"

namespace locklab {

Argv::Argv(const Command& command) {
    LOCKLAB_ASSERT(command.script() == nullptr);
    add_all(command);
}

Argv Argv::evalsha(const Command& script, std::string_view digest) {
    Argv argv;
    argv.add("EVALSHA");
    argv.add(digest);
    argv.add("1");
    argv.add_all(script);
    return argv;
}

Argv Argv::eval(const Command& script) {
    Argv argv;
    argv.add("EVAL");
    argv.add(script.script()->lua);
    argv.add("1");
    argv.add_all(script);
    return argv;
}

void Argv::add(std::string_view word) {
    const auto i = static_cast<std::size_t>(count_++);
    words_[i] = word.data();
    lengths_[i] = word.size();
}

void Argv::add_all(const Command& command) {
    for (std::size_t i = 0; i < command.size(); ++i) add(command[i]);
}

Reply reply_of(const redisReply& raw) {
    switch (raw.type) {
        case REDIS_REPLY_INTEGER: return Reply::integer(raw.integer);
        case REDIS_REPLY_STATUS: return Reply::status(std::string(raw.str, raw.len));
        case REDIS_REPLY_ERROR: return Reply::error(std::string(raw.str, raw.len));
        case REDIS_REPLY_STRING: return Reply::bulk(std::string(raw.str, raw.len));
        case REDIS_REPLY_ARRAY: break;
        default: return Reply::nil();
    }
    std::vector<Reply> elements;
    elements.reserve(raw.elements);
    for (std::size_t i = 0; i < raw.elements; ++i) elements.push_back(reply_of(*raw.element[i]));
    return Reply::array(std::move(elements));
}

}  // namespace locklab
