// The limits of readers and engines, so that no input exhausts the machine. Code that reaches a
// limit says so in one sentence. CONTRIBUTING.md, "Bounds", has the same table; a test compares the
// two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace locklab {

/// An engine reached a limit, so that nothing is known. `what()` is one sentence that names it.
class BoundHit : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Clients of a history, a trace or a campaign.
inline constexpr std::uint64_t kMostClients = 10'000;
/// Bytes of one line of a history. Our own are far shorter.
inline constexpr std::size_t kLongestLine = 1'000'000;
/// Lines of a history. The judge keeps some 100 bytes of each.
inline constexpr std::size_t kMostLines = 10'000'000;
/// Overlaps of a history whose causes are looked for; further ones are only counted. Ten thousand
/// clients that never leave are fifty million overlaps.
inline constexpr std::size_t kMostOverlaps = 10'000;
/// Bytes of a trace.
inline constexpr std::size_t kMostTrace = 32'000'000;
/// How deep the JSON of a line or a trace, and the YAML of a scenario, may be nested.
inline constexpr int kDeepestJson = 16;
inline constexpr int kDeepestYaml = 8;
/// Bytes of a scenario.
inline constexpr std::size_t kMostYaml = 1'000'000;
/// Steps of a counterexample.
inline constexpr std::size_t kMostSteps = 100'000;
/// Moves of one run on the stage, of a scenario or a counterexample.
inline constexpr std::uint32_t kMostMoves = 200'000;
/// Events of a simulated run: about 1 GB.
inline constexpr std::size_t kMostEvents = 3'000'000;
/// Waits, or regular pauses, that fit into the patience of a run.
inline constexpr std::int64_t kMostTries = 1'000'000;
/// Bytes of one file of a run. plots/run_files.py has the same number: the two share no code.
inline constexpr std::size_t kMostRunFile = 64'000'000;
/// Lua instructions that a script may run, and bytes that it may hold. Scripts of locks run some
/// hundred instructions and hold some thousand bytes.
inline constexpr std::uint64_t kMostInstructions = 50'000'000;
inline constexpr std::size_t kMostScriptBytes = 64'000'000;
/// Processor time between two parts of a judgement in a child process, in seconds, and memory in
/// addition to its parent's.
inline constexpr std::uint64_t kMostApartSeconds = 20;
inline constexpr std::uint64_t kMostApartBytes = 4'000'000'000;
/// Bytes of a server's reply; each element of an array counts for 64.
inline constexpr std::size_t kMostReply = 1'000'000;
/// Bytes of one command or reply that goes through the fault proxy.
inline constexpr std::size_t kMostFrame = 16'000'000;
/// Connections through the fault proxy, of all its clients together, or a quarter of the files that
/// the process may have open; each client has an equal share.
inline constexpr std::size_t kMostConnections = 10'000;
/// Bytes that the fault proxy holds for all connections together: received, and not yet sent on.
inline constexpr std::size_t kMostHeldByProxy = 256'000'000;
/// Bytes that went through the proxy in one run. The run's history needs ten times as many.
inline constexpr std::size_t kMostLinkLog = 64'000'000;

}  // namespace locklab
