// A private redis-server, or a Sentinel: on a unix socket in a folder of its own, with no data kept
// on disk.
//
// It never outlives locklab. The destructor stops it; if locklab dies without it, the kernel kills
// the server when the thread that launched it ends. So that thread must live as long.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/live/endpoint.h"
#include "harness/live/exec_arguments.h"
#include "harness/live/process_mark.h"
#include "harness/live/server_snapshot.h"
#include "harness/live/temp_folder.h"

namespace locklab {

class RedisProcess {
public:
    enum class Listen {
        on_socket,
        on_port_too,  ///< a free one of 127.0.0.1
    };

    /// Returns when the server answers. Throws std::runtime_error with one sentence if there is no
    /// redis-server to run, or it does not come up. `environment`: added to the present one.
    /// `sentinel`: the lines of a Sentinel's file; empty: it is a server.
    explicit RedisProcess(Listen listen = Listen::on_socket,
                          std::map<std::string, std::string> environment = {},
                          const std::string& sentinel = {});
    ~RedisProcess();
    RedisProcess(const RedisProcess&) = delete;
    RedisProcess& operator=(const RedisProcess&) = delete;

    /// Removes the folders of servers whose locklab was killed, and returns them.
    static std::vector<std::filesystem::path> remove_dead_folders();

    const Endpoint& endpoint() const { return endpoint_; }
    /// Its port, if it listens on one.
    Endpoint port_endpoint() const { return {"", "127.0.0.1", port_}; }
    pid_t pid() const { return pid_; }  ///< 0: it does not run

    /// As kill -9. Returns when it is gone, with everything that it started. Throws
    /// std::runtime_error with one sentence if its socket is still served.
    void kill();
    /// Starts it again, empty or with this snapshot, on the same socket, without waiting for it.
    /// Throws as the constructor does.
    void launch(const ServerSnapshot& with = {});
    /// Whether a client could connect now.
    bool listens() const;
    /// Waits until it answers. Throws as the constructor does.
    void await_ready();
    /// kill(), launch() and await_ready().
    void restart();

    /// Sends SIGSTOP to its process group, and to what it started. Returns when the kernel reports
    /// that it has stopped. False: it has ended.
    bool stop();
    /// Sends SIGCONT to them. Returns when it runs again, or has ended. Throws std::runtime_error
    /// with one sentence if its socket was served meanwhile.
    void go_on();

    /// Makes it a replica, and returns when it has its master's data. Its own data is gone. These
    /// functions throw std::runtime_error with one sentence if the server does not obey.
    void follow(RedisProcess& master);
    /// The same by way of an address of this host that leads to the master's port.
    void follow(RedisProcess& master, const Endpoint& way);
    /// Returns when it has all present data of its master.
    void await_all_of(const RedisProcess& master) const;
    /// Makes it a master with the data that it has.
    void take_over();
    /// Sets a parameter (CONFIG SET).
    void set(const std::string& parameter, const std::string& value);

private:
    [[noreturn]] void run_server(int report, const ExecArguments& arguments) const;
    std::vector<std::string> words() const;
    void open_port();
    /// A port that no process listens on now.
    static std::uint16_t free_port();
    bool has_exited();
    int connected() const;
    void signal_bearers(int signal) const;
    bool answered_meanwhile();
    void kill_process();
    std::filesystem::path data_file() const { return folder_.path() / "dump.rdb"; }
    std::string last_words() const;

    TempFolder folder_;
    const std::map<std::string, std::string> environment_;
    Endpoint endpoint_;
    std::string log_path_;
    std::string sentinel_file_;  ///< empty: it is a server
    std::uint16_t port_ = 0;
    const ProcessMark mark_;
    pid_t pid_ = 0;
    int asked_ = -1;  ///< while it is stopped: a connection on which it was asked something
};

}  // namespace locklab
