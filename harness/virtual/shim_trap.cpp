// System calls for the time that a program makes by itself, past the C library's functions that
// this library replaces.
//
// 1. A seccomp filter, which Linux applies to each call of the program, sends it SIGSYS in place of
// the call. The handler makes what was asked for, in virtual time, and the program goes on.
// 2. The functions of the vDSO read the clock without a system call: they are overwritten with one.
// 3. Calls of this library itself go through: they have a last argument that the kernel ignores.
// 4. Child processes inherit the filter. Their handler passes each call on to the kernel.
// 5. The processor's own counter (rdtsc) is no system call, and is not seen.

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/virtual/shim.h"

namespace locklab::shim {

namespace {

bool takes_traps = false;

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
struct Asked {
    explicit Asked(void* context)
        : registers(static_cast<ucontext_t*>(context)->uc_mcontext.gregs) {}
    long first() const { return registers[REG_RDI]; }
    long second() const { return registers[REG_RSI]; }
    long third() const { return registers[REG_RDX]; }
    long fourth() const { return registers[REG_R10]; }
    void answer(long result) { registers[REG_RAX] = result; }
    greg_t* registers;
};
struct VdsoFunction {
    const char* name;
    unsigned char code[8];  ///< mov eax, NUMBER; syscall; ret
};
constexpr VdsoFunction kVdso[] = {
    {"__vdso_clock_gettime", {0xb8, SYS_clock_gettime, 0, 0, 0, 0x0f, 0x05, 0xc3}},
    {"__vdso_gettimeofday", {0xb8, SYS_gettimeofday, 0, 0, 0, 0x0f, 0x05, 0xc3}},
    {"__vdso_time", {0xb8, SYS_time, 0, 0, 0, 0x0f, 0x05, 0xc3}},
};
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
struct Asked {
    explicit Asked(void* context)
        : registers(static_cast<ucontext_t*>(context)->uc_mcontext.regs) {}
    long first() const { return static_cast<long>(registers[0]); }
    long second() const { return static_cast<long>(registers[1]); }
    long third() const { return static_cast<long>(registers[2]); }
    long fourth() const { return static_cast<long>(registers[3]); }
    void answer(long result) { registers[0] = static_cast<unsigned long long>(result); }
    unsigned long long* registers;
};
struct VdsoFunction {
    const char* name;
    std::uint32_t code[3];  ///< mov x8, NUMBER; svc 0; ret
};
constexpr VdsoFunction kVdso[] = {
    {"__kernel_clock_gettime", {0xd2800008 | (SYS_clock_gettime << 5), 0xd4000001, 0xd65f03c0}},
    {"__kernel_gettimeofday", {0xd2800008 | (SYS_gettimeofday << 5), 0xd4000001, 0xd65f03c0}},
};
#else
#error "virtual time knows the registers of x86_64 and aarch64"
#endif

/// Gives the result as the kernel does: an error is negative.
long pass_on(long number, const Asked& asked) {
    const long result =
        call(number, asked.first(), asked.second(), asked.third(), asked.fourth(), kOwnCall);
    return result == -1 ? -errno : result;
}

template <class Value>
Value* at(long address) {
    return reinterpret_cast<Value*>(address);
}

long serve(long number, const Asked& asked) {
    if (!is_virtual()) return pass_on(number, asked);
    switch (number) {
        case SYS_clock_gettime:
            return clock_gettime(static_cast<clockid_t>(asked.first()),
                                 at<timespec>(asked.second()));
        case SYS_gettimeofday:
            if (asked.first() != 0) gettimeofday(at<timeval>(asked.first()), nullptr);
            return 0;
#ifdef SYS_time
        case SYS_time: return time(at<time_t>(asked.first()));
#endif
        case SYS_nanosleep:
            return nanosleep(at<timespec>(asked.first()), at<timespec>(asked.second())) == 0
                       ? 0
                       : -errno;
        case SYS_clock_nanosleep:
            return -clock_nanosleep(static_cast<clockid_t>(asked.first()),
                                    static_cast<int>(asked.second()), at<timespec>(asked.third()),
                                    at<timespec>(asked.fourth()));
        default: return pass_on(number, asked);
    }
}

void on_trap(int, siginfo_t* trap, void* context) {
    const int error = errno;
    Asked asked(context);
    asked.answer(serve(trap->si_syscall, asked));
    errno = error;
}

constexpr sock_filter load(std::size_t offset) {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
constexpr sock_filter jump_if(std::uint32_t value, std::uint8_t then, std::uint8_t otherwise) {
    return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise);
}
constexpr sock_filter end_with(std::uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }

bool install_filter() {
    // Little-endian: the lower half of an argument comes first.
    constexpr std::size_t kClock = offsetof(seccomp_data, args);
    constexpr std::size_t kLast = offsetof(seccomp_data, args) + 4 * sizeof(std::uint64_t);
#ifdef SYS_time
    constexpr std::uint32_t kTime = SYS_time;
#else
    constexpr std::uint32_t kTime = SYS_gettimeofday;
#endif
    sock_filter filter[] = {
        load(offsetof(seccomp_data, arch)),
        jump_if(kArchitecture, 0, 13),
        load(offsetof(seccomp_data, nr)),
        jump_if(SYS_gettimeofday, 8, 0),
        jump_if(kTime, 7, 0),
        jump_if(SYS_nanosleep, 6, 0),
        jump_if(SYS_clock_nanosleep, 1, 0),
        jump_if(SYS_clock_gettime, 0, 7),
        // Clocks of processors and devices are the machine's.
        load(kClock),
        jump_if(CLOCK_PROCESS_CPUTIME_ID, 5, 0),
        jump_if(CLOCK_THREAD_CPUTIME_ID, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, CLOCK_TAI, 3, 0),
        load(kLast),
        jump_if(static_cast<std::uint32_t>(kOwnCall), 1, 0),
        end_with(SECCOMP_RET_TRAP),
        end_with(SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{static_cast<unsigned short>(sizeof filter / sizeof filter[0]), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    return call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
                reinterpret_cast<long>(&program)) == 0;
}

/// Linux protects the vDSO as a whole, and does not tell how large it is. 0: it cannot be done.
std::size_t make_writable(void* vdso) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    constexpr std::size_t kMostPages = 32;
    for (std::size_t size = page; size <= kMostPages * page; size += page) {
        if (mprotect(vdso, size, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) return size;
    }
    return 0;
}

/// A kernel may have none: then the C library makes system calls.
bool overwrite_vdso() {
    void* begin = reinterpret_cast<void*>(getauxval(AT_SYSINFO_EHDR));
    if (begin == nullptr) return true;
    void* vdso = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
    const std::size_t size = vdso == nullptr ? 0 : make_writable(begin);
    if (size == 0) return false;
    for (const VdsoFunction& function : kVdso) {
        void* found = dlsym(vdso, function.name);
        if (found == nullptr) return false;
        memcpy(found, function.code, sizeof function.code);
        __builtin___clear_cache(static_cast<char*>(found),
                                static_cast<char*>(found) + sizeof function.code);
    }
    return mprotect(begin, size, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace

void take_traps() {
    struct sigaction action {};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    takes_traps = LOCKLAB_NEXT(sigaction)(SIGSYS, &action, nullptr) == 0;
}

bool is_trapped() { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER; }

bool trap_calls() {
    take_traps();
    return takes_traps && overwrite_vdso() && install_filter();
}

namespace {

/// Linux ends a program that has SIGSYS blocked at a trap.
const sigset_t* without_trap(const sigset_t* given, sigset_t& copy) {
    if (!takes_traps || given == nullptr) return given;
    copy = *given;
    sigdelset(&copy, SIGSYS);
    return &copy;
}

}  // namespace

}  // namespace locklab::shim

using namespace locklab::shim;

/// A runtime that sets all signals to their defaults as it begins keeps this handler.
LOCKLAB_EXPORT int sigaction(int number, const struct sigaction* set,
                             struct sigaction* before) noexcept {
    const bool keeps = takes_traps && number == SIGSYS;
    return LOCKLAB_NEXT(sigaction)(number, keeps ? nullptr : set, before);
}

LOCKLAB_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
    sigset_t copy;
    return LOCKLAB_NEXT(pthread_sigmask)(how, without_trap(set, copy), before);
}

LOCKLAB_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
    sigset_t copy;
    return LOCKLAB_NEXT(sigprocmask)(how, without_trap(set, copy), before);
}
