#include "harness/live/endpoint.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace locklab::endpoint_test {
namespace {

std::string complaint(std::string_view text) {
    try {
        parse_endpoint(text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

TEST(Endpoint, reads_host_and_port) {
    const Endpoint endpoint = parse_endpoint("redis.example.org:6380");
    EXPECT_EQ(endpoint.host, "redis.example.org");
    EXPECT_EQ(endpoint.port, 6380);
    EXPECT_EQ(to_string(endpoint), "redis.example.org:6380");
}

TEST(Endpoint, reads_ipv6_in_brackets) {
    const Endpoint endpoint = parse_endpoint("[::1]:6379");
    EXPECT_EQ(endpoint.host, "::1");
    EXPECT_EQ(to_string(endpoint), "[::1]:6379");
}

TEST(Endpoint, says_what_is_wrong) {
    EXPECT_EQ(complaint("localhost"),
              "\"localhost\" is no Redis address: the port is missing; write host:port, as in "
              "localhost:6379.");
    EXPECT_NE(complaint(":6379").find("the host is missing"), std::string::npos);
    EXPECT_NE(complaint("::1:6379").find("brackets"), std::string::npos);
    for (const char* port : {"h:", "h:x", "h:0", "h:65536", "h:63 79", "h:-1", "h:6379x"}) {
        EXPECT_NE(complaint(port).find("no number from 1 to 65535"), std::string::npos) << port;
    }
}

TEST(Endpoint, is_resolved_to_an_address) {
    EXPECT_EQ(to_string(resolved(parse_endpoint("localhost:6379"))), "127.0.0.1:6379");
    EXPECT_EQ(to_string(resolved(parse_endpoint("[::1]:6379"))), "[::1]:6379");
    Endpoint nowhere;
    nowhere.host = "no-such-host.invalid";
    EXPECT_THROW(resolved(nowhere), std::runtime_error);
}

}  // namespace
}  // namespace locklab::endpoint_test
