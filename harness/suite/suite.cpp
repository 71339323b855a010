#include "harness/suite/suite.h"

#include <algorithm>
#include <stdexcept>

#include "harness/record/stopwatch.h"

namespace locklab {

bool SuiteResult::has_finished(std::string_view section) const {
    return std::find(finished.begin(), finished.end(), section) != finished.end();
}

bool SuiteContext::was_asked_for(std::string_view section) const {
    const auto* const row = std::ranges::find(kSuiteSections, section, &SuiteSection::name);
    const bool is_elsewhere = shard && !row->in_pieces && shard->index + 1 < shard->of;
    if (is_elsewhere) return false;
    return sections.empty() || std::ranges::find(sections, section) != sections.end();
}

bool SuiteContext::was_asked_for_library(std::string_view row) const {
    const std::string_view its_folder = row.substr(0, row.find(':'));
    return libraries.empty() || std::ranges::any_of(libraries, [&](const std::string& name) {
               return name == row || name == its_folder;
           });
}

std::size_t sections_to_come(const SuiteContext& context, const SuiteResult& result) {
    return static_cast<std::size_t>(
        std::ranges::count_if(kSuiteSections, [&](const SuiteSection& section) {
            return context.was_asked_for(section.name) && !result.has_finished(section.name);
        }));
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
    const auto asked_for = [&](const SuiteSection& section) {
        return context.was_asked_for(section.name);
    };
    const auto parts = static_cast<std::size_t>(std::ranges::count_if(kSuiteSections, asked_for));
    std::size_t part = 0;
    for (const SuiteSection& section : kSuiteSections) {
        if (watcher.stopped()) break;
        if (!asked_for(section)) continue;
        ++part;
        if (result.has_finished(section.name)) continue;
        progress.begin_part(part, parts, section.title);
        const std::size_t missing = result.missing.size();
        const Stopwatch stopwatch;
        const double used = processor_seconds();
        section.run(context, server, progress, result);
        if (!watcher.stopped() && result.missing.size() == missing) {
            result.finished.emplace_back(section.name);
            result.took.push_back(
                {std::string(section.name), stopwatch.seconds(), processor_seconds() - used});
        }
        save();
        if (part < parts) progress.end_part();
    }
    result.running = false;
    save();
}

}  // namespace locklab
