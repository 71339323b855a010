// The strongly connected components of a graph, by Tarjan's algorithm ("Depth-first search and
// linear graph algorithms", 1972), with an explicit stack in place of recursion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace locklab {

/// The component of each node, as the number of one of its nodes. `each_successor(node, visit)`
/// calls `visit` with every successor of the node.
template <class EachSuccessor>
std::vector<std::uint32_t> components(std::uint32_t nodes, EachSuccessor each_successor) {
    constexpr std::uint32_t kNone = 0xFFFFFFFF;
    struct Frame {
        std::uint32_t node;
        std::vector<std::uint32_t> successors;
        std::size_t next = 0;
    };
    std::vector<std::uint32_t> order(nodes, kNone);
    std::vector<std::uint32_t> low(nodes, kNone);
    std::vector<std::uint32_t> component(nodes, kNone);
    std::vector<std::uint32_t> open;
    std::vector<Frame> frames;
    std::uint32_t count = 0;
    const auto enter = [&](std::uint32_t node) {
        order[node] = low[node] = count++;
        open.push_back(node);
        Frame& frame = frames.emplace_back(Frame{node, {}, 0});
        each_successor(node, [&](std::uint32_t to) { frame.successors.push_back(to); });
    };
    const auto close = [&](std::uint32_t root) {
        std::uint32_t node = kNone;
        do {
            node = open.back();
            open.pop_back();
            component[node] = root;
        } while (node != root);
    };
    for (std::uint32_t root = 0; root < nodes; ++root) {
        if (order[root] != kNone) continue;
        enter(root);
        while (!frames.empty()) {
            Frame& frame = frames.back();
            const std::uint32_t node = frame.node;
            if (frame.next < frame.successors.size()) {
                const std::uint32_t to = frame.successors[frame.next++];
                if (order[to] == kNone) {
                    enter(to);
                } else if (component[to] == kNone) {
                    low[node] = std::min(low[node], order[to]);
                }
                continue;
            }
            if (low[node] == order[node]) close(node);
            frames.pop_back();
            if (!frames.empty()) {
                std::uint32_t& above = low[frames.back().node];
                above = std::min(above, low[node]);
            }
        }
    }
    return component;
}

}  // namespace locklab
