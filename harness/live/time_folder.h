// What the processes of a keeper of time find at their start: the shared page, and for each process
// a pipe that wakes it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/live/temp_folder.h"
#include "harness/live/time_page.h"

namespace locklab {

class TimeFolder {
public:
    /// For at most this many processes. Throws std::system_error if it cannot be made.
    explicit TimeFolder(std::size_t processes = TimePage::kProcesses);
    ~TimeFolder();
    TimeFolder(const TimeFolder&) = delete;
    TimeFolder& operator=(const TimeFolder&) = delete;

    TimePage& page() { return *page_; }
    const TimePage& page() const { return *page_; }
    /// Variables for the start of a process, added to the present environment.
    std::map<std::string, std::string> environment(std::size_t process) const;
    /// Makes a process that waits for files or for a time look again.
    void wake(std::size_t process);

private:
    /// Closed before the folder is removed, since removal needs a descriptor too.
    struct Pipes {
        explicit Pipes(std::size_t count) : files(count, -1) {}
        ~Pipes();
        Pipes(const Pipes&) = delete;
        Pipes& operator=(const Pipes&) = delete;
        std::vector<int> files;
    };

    void make_pipes();
    void make_page();

    TempFolder folder_;
    Pipes pipes_;
    TimePage* page_ = nullptr;
};

}  // namespace locklab
