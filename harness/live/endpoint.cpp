#include "harness/live/endpoint.h"

#include <netdb.h>

#include <array>
#include <charconv>
#include <stdexcept>

namespace locklab {

namespace {

[[noreturn]] void reject(std::string_view text, std::string_view why) {
    throw std::invalid_argument("\"" + std::string(text) + "\" is no Redis address: " +
                                std::string(why) + "; write host:port, as in localhost:6379.");
}

}  // namespace

Endpoint parse_endpoint(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) reject(text, "the port is missing");
    std::string_view host = text.substr(0, colon);
    const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
    if (bracketed) host = host.substr(1, host.size() - 2);
    if (host.empty()) reject(text, "the host is missing");
    if (!bracketed && host.find(':') != std::string_view::npos) {
        reject(text, "an IPv6 address stands in brackets");
    }

    const std::string_view digits = text.substr(colon + 1);
    std::uint32_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    const bool is_number = error == std::errc() && end == digits.data() + digits.size();
    if (!is_number || port < 1 || port > 65535) {
        reject(text, "the port is no number from 1 to 65535");
    }

    Endpoint endpoint;
    endpoint.host = host;
    endpoint.port = static_cast<std::uint16_t>(port);
    return endpoint;
}

Endpoint resolved(const Endpoint& endpoint) {
    if (!endpoint.socket_path.empty()) return endpoint;
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_family = AF_INET;
    addrinfo* found = nullptr;
    std::array<char, NI_MAXHOST> address{};
    // As hiredis does: IPv6 only if there is no IPv4.
    int error = getaddrinfo(endpoint.host.c_str(), nullptr, &wanted, &found);
    wanted.ai_family = AF_INET6;
    if (error != 0) error = getaddrinfo(endpoint.host.c_str(), nullptr, &wanted, &found);
    if (error == 0) {
        error = getnameinfo(found->ai_addr, found->ai_addrlen, address.data(), address.size(),
                            nullptr, 0, NI_NUMERICHOST);
        freeaddrinfo(found);
    }
    if (error != 0) {
        throw std::runtime_error("The host " + endpoint.host + " cannot be found (" +
                                 gai_strerror(error) + ").");
    }
    Endpoint numeric = endpoint;
    numeric.host = address.data();
    return numeric;
}

std::string to_string(const Endpoint& endpoint) {
    if (!endpoint.socket_path.empty()) return endpoint.socket_path;
    const bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
    const std::string host = is_ipv6 ? "[" + endpoint.host + "]" : endpoint.host;
    return host + ":" + std::to_string(endpoint.port);
}

}  // namespace locklab
