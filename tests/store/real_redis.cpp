#include "tests/store/real_redis.h"

#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace locklab::test {

namespace {

constexpr int kNotInstalled = 127;

Reply to_reply(const redisReply& reply) {
    const std::string text(reply.str != nullptr ? reply.str : "", reply.len);
    switch (reply.type) {
        case REDIS_REPLY_STATUS: return Reply::status(text);
        case REDIS_REPLY_ERROR: return Reply::error(text);
        case REDIS_REPLY_INTEGER: return Reply::integer(reply.integer);
        case REDIS_REPLY_STRING: return Reply::bulk(text);
        case REDIS_REPLY_NIL: return Reply::nil();
        default: break;
    }
    std::vector<Reply> elements;
    for (std::size_t i = 0; i < reply.elements; ++i) {
        elements.push_back(to_reply(*reply.element[i]));
    }
    return Reply::array(std::move(elements));
}

/// What the child process becomes. Nothing here returns.
[[noreturn]] void become_server(const ServerProgram& program, const std::string& folder) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("LOCKLAB_CLOCK", (folder + "/clock").c_str(), 1);
    setenv("LD_PRELOAD", LOCKLAB_FIXED_CLOCK, 1);
    if (is_valkey(program.kind)) setenv("LOCKLAB_STILL", "1", 1);
    const std::string socket = folder + "/socket";
    const std::string log = folder + "/log";
    execlp(program.file.c_str(), program.file.c_str(), "--port", "0", "--unixsocket",
           socket.c_str(), "--dir", folder.c_str(), "--logfile", log.c_str(), "--save", "",
           "--appendonly", "no", "--daemonize", "no", "--enable-debug-command", "yes",
           static_cast<char*>(nullptr));
    _exit(kNotInstalled);
}

}  // namespace

RealRedis::RealRedis(ServerProgram program) : program_(std::move(program)) {
    std::string folder = std::filesystem::temp_directory_path() / "locklab-redis-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("cannot make " + folder);
    folder_ = folder;
    try {
        make_clock();
        start();
        execute({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
    } catch (...) {
        stop();
        throw;
    }
}

RealRedis::~RealRedis() { stop(); }

void RealRedis::make_clock() {
    const std::string path = folder_ + "/clock";
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void* page = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof *clock_us_) == 0) {
        page = mmap(nullptr, sizeof *clock_us_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0) ::close(file);
    if (page == MAP_FAILED) throw std::runtime_error("cannot map the clock " + path);
    clock_us_ = static_cast<volatile std::int64_t*>(page);
    *clock_us_ = 1'700'000'000'000'000;
}

void RealRedis::start() {
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("cannot start a process for redis-server");
    if (process_ == 0) become_server(program_, folder_);
}

redisContext* RealRedis::connect() {
    const std::string socket = folder_ + "/socket";
    for (int tries = 0; tries < 500; ++tries) {
        int status = 0;
        if (waitpid(process_, &status, WNOHANG) == process_) {
            process_ = -1;
            const bool missing = WIFEXITED(status) && WEXITSTATUS(status) == kNotInstalled;
            throw std::runtime_error(
                missing ? "redis-server is not installed: run ./locklab once, or install the "
                          "package redis-server"
                        : "redis-server stopped while it started");
        }
        redisContext* const opened = redisConnectUnix(socket.c_str());
        if (opened != nullptr && opened->err == 0) return opened;
        if (opened != nullptr) redisFree(opened);
        usleep(10'000);
    }
    throw std::runtime_error("redis-server does not answer");
}

redisContext*& RealRedis::connection(std::size_t number) {
    if (connections_.size() <= number) connections_.resize(number + 1);
    if (connections_[number] == nullptr) connections_[number] = connect();
    return connections_[number];
}

void RealRedis::close(std::size_t number) {
    redisFree(connection(number));
    connections_[number] = nullptr;
}

void RealRedis::stop() {
    for (redisContext* const open : connections_) {
        if (open != nullptr) redisFree(open);
    }
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    if (clock_us_ != nullptr) munmap(const_cast<std::int64_t*>(clock_us_), sizeof *clock_us_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

/// Valkey reads the wall time before it waits, and not when a command comes.
void RealRedis::set_clock(WallTime now) {
    *clock_us_ = us(now);
    if (is_valkey(program_.kind)) execute({"PING"});
}

Reply RealRedis::execute(std::span<const std::string> words, std::size_t number) {
    redisContext* const over = connection(number);
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const std::string& word : words) {
        texts.push_back(word.data());
        sizes.push_back(word.size());
    }
    void* answer =
        redisCommandArgv(over, static_cast<int>(words.size()), texts.data(), sizes.data());
    if (answer == nullptr) {
        throw std::runtime_error(std::string("redis-server: ") + over->errstr);
    }
    auto* const reply = static_cast<redisReply*>(answer);
    Reply result = to_reply(*reply);
    freeReplyObject(reply);
    return result;
}

}  // namespace locklab::test
