#include "harness/suite/suite.h"

#include <algorithm>
#include <stdexcept>

namespace locklab {

bool SuiteResult::has_finished(std::string_view section) const {
    return std::find(finished.begin(), finished.end(), section) != finished.end();
}

LiveServer* SuiteServer::get() {
    if (server_ || !why_not_.empty()) return server_.get();
    try {
        server_ = std::make_unique<LiveServer>(redis_, watcher_);
    } catch (const std::runtime_error& error) {
        why_not_ = error.what();
    }
    return server_.get();
}

void run_sections(const SuiteContext& context, const SuiteVoice& voice, SuiteResult& result,
                  const std::function<void()>& save, const std::function<void()>& draw) {
    const Watcher& watcher = context.watcher;
    SuiteServer server(context.redis, watcher);
    result.running = true;
    SuiteProgress progress(voice, [&] {
        if (watcher.stopped()) return;
        save();
        draw();
    });
    for (std::size_t i = 0; i < kSuiteSections.size() && !watcher.stopped(); ++i) {
        const SuiteSection& section = kSuiteSections[i];
        if (result.has_finished(section.name)) continue;
        progress.begin_part(i + 1, kSuiteSections.size(), section.title);
        const std::size_t missing = result.missing.size();
        section.run(context, server, progress, result);
        if (!watcher.stopped() && result.missing.size() == missing) {
            result.finished.emplace_back(section.name);
        }
        save();
        if (i + 1 < kSuiteSections.size()) progress.end_part();
    }
    result.running = false;
    save();
}

}  // namespace locklab
