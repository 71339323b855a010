#include "harness/foreign/own_driver.h"

#include <unistd.h>
#include <uv.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "harness/driver/driver_lines.h"
#include "harness/foreign/own_session.h"
#include "harness/record/json_line.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

std::int64_t now_us() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<Duration>(now).count();
}

void say(const Json& line) {
    std::cout << line.dump() << "\n";
    std::cout.flush();
}

class OwnDriver {
public:
    explicit OwnDriver(const Algorithm& algorithm) : algorithm_(algorithm) {
        uv_poll_init(reactor_.loop(), &input_, STDIN_FILENO);
        input_.data = this;
        uv_poll_start(&input_, UV_READABLE, [](uv_poll_t* handle, int, int) {
            static_cast<OwnDriver*>(handle->data)->read_some();
        });
    }
    ~OwnDriver() {
        session_.reset();
        uv_close(reinterpret_cast<uv_handle_t*>(&input_), nullptr);
        uv_run(reactor_.loop(), UV_RUN_NOWAIT);
    }
    OwnDriver(const OwnDriver&) = delete;
    OwnDriver& operator=(const OwnDriver&) = delete;

    void run() {
        while (!over_) {
            reactor_.turn();
            for (std::size_t end; !over_ && (end = said_.find('\n')) != std::string::npos;) {
                const std::string line = said_.substr(0, end);
                said_.erase(0, end + 1);
                take(line);
            }
        }
    }

private:
    void read_some() {
        std::array<char, 65'536> buffer;
        const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got > 0) said_.append(buffer.data(), static_cast<std::size_t>(got));
        if (got == 0) over_ = true;
    }

    void answer(Json said) {
        Json line{{"id", id_}, {"called_us", called_}, {"answered_us", now_us()}};
        line.update(said);
        say(line);
    }

    void take(const std::string& text) {
        JsonLine line("stdin", ++lines_, text);
        id_ = line.whole("id");
        called_ = now_us();
        const auto op = static_cast<DriverOp>(line.word("op", kDriverOps));
        const bool needs_session =
            op == DriverOp::acquire || op == DriverOp::release || op == DriverOp::step;
        if (needs_session && !session_) line.fail("nothing is open");
        switch (op) {
            case DriverOp::hello: return answer(traits());
            case DriverOp::open: return open(line);
            case DriverOp::acquire: return session_->acquire();
            case DriverOp::step: return answer({{"ok", true}, {"lost", session_->has_lost()}});
            case DriverOp::extend:
                return answer({{"error", "it cannot be extended"}, {"definite", true}});
            case DriverOp::release: return session_->release();
            case DriverOp::close: session_.reset(); return answer(Json::object());
            case DriverOp::exit: over_ = true; return answer(Json::object());
        }
    }

    Json traits() const {
        return {{"library", std::string(algorithm_.name)},
                {"version", "1"},
                {"nodes", algorithm_.redis_servers > 1 ? "many" : "one"},
                {"waits", false},
                {"renews", algorithm_.renews},
                {"extends", false},
                {"tells", algorithm_.renews},
                {"fences", algorithm_.fences}};
    }

    void open(JsonLine& line) {
        const std::chrono::milliseconds ttl(line.whole("ttl_ms", 1'000'000'000));
        OwnSession::Opening opening{Key{line.text("key")}, algorithm_.defaults, {}, ttl / 5};
        LockOptions& options = opening.options;
        const auto* client = line.find("client");
        const auto from_client = [&](const char* name) {
            return client == nullptr ? 0 : client->value(name, std::uint64_t{0});
        };
        options.clock_unit = std::min<Duration>(options.clock_unit, std::chrono::milliseconds(1));
        if (const auto unit = from_client("clock_unit_us"); unit > 0) {
            options.clock_unit = std::chrono::microseconds(unit);
        }
        options = with_ttl(options, ttl);
        for (const auto& node : line.at("nodes")) {
            opening.nodes.push_back(parse_endpoint(node.get<std::string>()));
        }
        if (const auto timeout = from_client("timeout_ms"); timeout > 0) {
            opening.timeout = std::chrono::milliseconds(timeout);
        }
        session_.reset();
        session_ = std::make_unique<OwnSession>(
            algorithm_, std::move(opening), reactor_,
            OwnSession::Listener{[this](const Acquired& outcome) { acquired(outcome); },
                                 [this](Release outcome) { released(outcome); },
                                 [] {
                                     say({{"ev", "lost"}});
                                 }});
        answer(Json::object());
    }

    void acquired(Acquired outcome) {
        if (const Grant* grant = outcome.grant()) {
            Json said{{"granted", true}, {"token", grant->token.text}};
            if (grant->fence != 0) said["fence"] = grant->fence;
            return answer(said);
        }
        if (const std::string* error = outcome.error()) {
            return answer({{"error", error->empty() ? "an error" : *error}, {"definite", false}});
        }
        if (outcome.unknown()) return answer({{"error", "no reply in time"}, {"definite", false}});
        answer({{"granted", false}});
    }

    void released(Release outcome) {
        switch (outcome) {
            case Release::yes: return answer({{"released", true}});
            case Release::not_ours: return answer({{"released", false}});
            case Release::unknown:
                return answer({{"error", "no reply in time"}, {"definite", false}});
            case Release::error: return answer({{"error", "an error"}, {"definite", false}});
        }
    }

    const Algorithm& algorithm_;
    Reactor reactor_;
    uv_poll_t input_{};
    std::string said_;
    std::size_t lines_ = 0;
    bool over_ = false;
    std::uint64_t id_ = 0;
    std::int64_t called_ = 0;
    std::unique_ptr<OwnSession> session_;
};

}  // namespace

int drive_own_lock(const Algorithm& algorithm) {
    OwnDriver(algorithm).run();
    return EXIT_SUCCESS;
}

}  // namespace locklab
