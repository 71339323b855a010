// Reads the file of the fault proxy: between whom it stands, and what strikes whom.
//
//     links:
//       - {client: A, node: n0, to: "127.0.0.1:6379", listen: "127.0.0.1:7001"}
//       - {client: B, node: n0, to: "127.0.0.1:6379"}               listens at a free port
//       - {client: A, node: etcd, to: "127.0.0.1:2379", carries: bytes}
//                                              what comes at once counts as a command without a
//                                              name
//     rules:
//       - {client: A, command: SET, nth: 2, fault: lose_reply}      nth: of all that fit; or each
//       - {script: "return 1", fault: delay_request, amount: 250ms} its text, or its digest
//       - {command: EVALSHA, node: n0, fault: error, error: NOSCRIPT}
//       - {command: SET, fault: error, error: "MOVED 866 127.0.0.1:7002"}
#pragma once

#include <string>
#include <string_view>

#include "harness/proxy/fault_proxy.h"

namespace locklab {

/// `file` is its name in messages. Hosts are not looked up yet: see resolved(). Throws
/// ScenarioError.
ProxyPlan read_proxy_plan(std::string_view text, const std::string& file);

}  // namespace locklab
