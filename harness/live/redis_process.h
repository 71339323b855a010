// A private redis-server: on a unix socket in a folder of its own, with nothing kept on disk.
//
// It never outlives locklab. The destructor stops it; and should locklab die without one, the
// kernel kills it when the thread that launched it ends. So that thread must live as long.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/live/endpoint.h"
#include "harness/live/exec_arguments.h"
#include "harness/live/process_mark.h"
#include "harness/live/temp_folder.h"

namespace locklab {

class RedisProcess {
public:
    enum class Listen {
        on_socket,
        on_port_too,  ///< of 127.0.0.1, a free one
    };

    /// Returns when the server answers. Throws std::runtime_error with one sentence if there is
    /// no redis-server to run, or it does not come up.
    /// `environment`: of its process, beside the one there is.
    explicit RedisProcess(Listen listen = Listen::on_socket,
                          std::map<std::string, std::string> environment = {});
    ~RedisProcess();
    RedisProcess(const RedisProcess&) = delete;
    RedisProcess& operator=(const RedisProcess&) = delete;

    /// Removes the folders of servers whose locklab was killed, and returns them.
    static std::vector<std::filesystem::path> remove_dead_folders();

    const Endpoint& endpoint() const { return endpoint_; }
    /// Its port, if it listens on one.
    Endpoint port_endpoint() const { return {"", "127.0.0.1", port_}; }
    pid_t pid() const { return pid_; }  ///< 0: it does not run

    /// As kill -9 does. Returns when it is gone, with all that it started. Throws
    /// std::runtime_error with one sentence if its socket is served all the same.
    void kill();
    /// Starts it again, empty, on the same socket, without waiting for it. Throws as the
    /// constructor does.
    void launch();
    /// Whether somebody could connect to it now.
    bool listens() const;
    /// Waits until it answers. Throws as the constructor does.
    void await_ready();
    /// All three.
    void restart();

    /// It becomes a replica, and returns when it has what its master has. What it had is gone.
    /// These throw std::runtime_error with one sentence if the server does not do as it is told.
    void follow(RedisProcess& master);
    /// Returns when it has all that its master has by now.
    void await_all_of(const RedisProcess& master) const;
    /// It becomes a master with what it has.
    void take_over();

private:
    [[noreturn]] void run_server(int report, const ExecArguments& arguments) const;
    std::vector<std::string> words() const;
    void open_port();
    /// One that nobody listens on now.
    static std::uint16_t free_port();
    bool has_exited();
    void kill_process();
    std::string last_words() const;

    TempFolder folder_;
    const std::map<std::string, std::string> environment_;
    Endpoint endpoint_;
    std::string log_path_;
    std::uint16_t port_ = 0;
    const ProcessMark mark_;
    pid_t pid_ = 0;
};

}  // namespace locklab
