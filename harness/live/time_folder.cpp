#include "harness/live/time_folder.h"

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

[[noreturn]] void cannot(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

TimeFolder::TimeFolder(std::size_t processes) : folder_(kTimeFolder), pipes_(processes) {
    TempFolder::remove_dead(kTimeFolder);
    make_pipes();
    make_page();
}

TimeFolder::~TimeFolder() { munmap(page_, sizeof(TimePage)); }

TimeFolder::Pipes::~Pipes() {
    for (const int each : files) {
        if (each >= 0) close(each);
    }
}

void TimeFolder::make_pipes() {
    for (std::size_t i = 0; i < pipes_.files.size(); ++i) {
        const std::string path = (folder_.path() / ("wake." + std::to_string(i))).string();
        if (mkfifo(path.c_str(), 0600) == 0) {
            pipes_.files[i] = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
        }
        if (pipes_.files[i] < 0) cannot("cannot make a pipe");
    }
}

void TimeFolder::make_page() {
    const int file =
        open((folder_.path() / "page").c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) cannot("cannot make a page of time");
    // Without space for the page on a full disk, the first write to it would be a SIGBUS.
    int error = posix_fallocate(file, 0, sizeof(TimePage));
    void* found = MAP_FAILED;
    if (error == 0) {
        found = mmap(nullptr, sizeof(TimePage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (found == MAP_FAILED) error = errno;
    }
    close(file);
    errno = error;
    if (error != 0) cannot("cannot make a page of time");
    page_ = new (found) TimePage{};
    page_->magic = kTimePageMagic;
}

std::map<std::string, std::string> TimeFolder::environment(std::size_t process) const {
    LOCKLAB_ASSERT(process < pipes_.files.size());
    return {{"LD_PRELOAD", LOCKLAB_SHIM},
            {kTimeVariable, folder_.path().string() + ":" + std::to_string(process)}};
}

void TimeFolder::wake(std::size_t process) {
    const char byte = 0;
    [[maybe_unused]] const ssize_t ignored = write(pipes_.files[process], &byte, 1);
}

}  // namespace locklab
