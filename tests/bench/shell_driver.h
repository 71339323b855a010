// A driver in a few words of shell, by whose clock each call takes 7 us however long it took.
#pragma once

#include <string>

#include "harness/foreign/library.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// `acquire` and `release` are shell that says, in `said`, what is answered; `line` is what was
/// asked.
inline Library shell_library(const std::string& acquire,
                             const std::string& release = R"(said='"released":true')") {
    Library library;
    library.name = library.library = "odd";
    library.version = "1";
    library.like = "set_nx_lua";
    library.installed = "/";
    library.run = {"bash", "-c", R"(now=0
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}; now=$((now + 1000)); said=
  case $line in
    *'"hello"'*) said='"library":"odd","version":"1","nodes":"one"'
      said+=',"waits":false,"renews":false,"extends":false,"tells":false,"fences":false' ;;
    *'"acquire"'*) )" + acquire + R"( ;;
    *'"release"'*) )" + release + R"( ;;
    *'"exit"'*) exit ;;
  esac
  echo "{\"id\":$id,\"called_us\":$now,\"answered_us\":$((now + 7))${said:+,$said}}"
done)"};
    return library;
}

inline const char* const kGrants = R"(said='"granted":true')";
inline const char* const kRefuses = R"(said='"granted":false')";

/// So many of its processes, with a key of their own.
inline std::string open(Team& team, const Endpoint& server, std::size_t clients) {
    return team.open({"key", std::chrono::seconds(10), std::chrono::seconds(10),
                      std::vector<std::vector<Endpoint>>(clients, {server})});
}

}  // namespace locklab
