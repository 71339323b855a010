#include "harness/virtual/time_folder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "harness/core/assert.h"

namespace locklab {

namespace {

constexpr const char* kFolder = "locklab-time";

[[noreturn]] void cannot(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

TimeFolder::TimeFolder(std::size_t processes) : folder_(kFolder), pipes_(processes, -1) {
    TempFolder::remove_dead(kFolder);
    const int file =
        open((folder_.path() / "page").c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof(TimePage)) != 0) cannot("cannot make a page of time");
    void* found = mmap(nullptr, sizeof(TimePage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (found == MAP_FAILED) cannot("cannot map a page of time");
    page_ = new (found) TimePage{};
    page_->magic = kTimePageMagic;
    for (std::size_t i = 0; i < pipes_.size(); ++i) {
        const std::string path = (folder_.path() / ("wake." + std::to_string(i))).string();
        if (mkfifo(path.c_str(), 0600) == 0) {
            pipes_[i] = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
        }
        if (pipes_[i] < 0) cannot("cannot make a pipe");
    }
}

TimeFolder::~TimeFolder() {
    for (const int each : pipes_) {
        if (each >= 0) close(each);
    }
    munmap(page_, sizeof(TimePage));
}

std::map<std::string, std::string> TimeFolder::environment(std::size_t process) const {
    LOCKLAB_ASSERT(process < pipes_.size());
    return {{"LD_PRELOAD", LOCKLAB_SHIM},
            {kTimeVariable, folder_.path().string() + ":" + std::to_string(process)}};
}

void TimeFolder::wake(std::size_t process) {
    const char byte = 0;
    [[maybe_unused]] const ssize_t ignored = write(pipes_[process], &byte, 1);
}

}  // namespace locklab
