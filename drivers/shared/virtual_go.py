"""Builds a driver in Go whose time is locklab's: the library, its client and the driver as they
are, and Go's runtime with another clock, other waits and other chance.

    virtual_go.py PROGRAM

Go asks the kernel for the time by itself, past any library that could be preloaded. So files of the
runtime are replaced for this one build (go build -overlay); the installed Go stays as it is. For a
Go without the lines to be replaced, or for other processors than amd64, there is no PROGRAM, but a
sentence; that is no error.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

RUNTIME = Path(__file__).with_name("runtime_in_virtual_time.go.txt")

EDITS = {
    # All waiting, and that of connecting: on loopback it is over before anybody could act.
    "runtime/netpoll_epoll.go": [
        ("linux.EpollWait(epfd, events[:], int32(len(events)), waitms)",
         "vtEpollWait(epfd, events[:], delay)")],
    "net/fd_unix.go": [
        ("switch err := connectFunc(fd.pfd.Sysfd, ra); err {\n"
         "\tcase syscall.EINPROGRESS, syscall.EALREADY, syscall.EINTR:\n",
         "switch err := connectFunc(fd.pfd.Sysfd, ra); err {\n"
         "\tcase syscall.EINPROGRESS, syscall.EALREADY, syscall.EINTR:\n"
         "\t\tvar connects syscall.FdSet\n"
         "\t\tconnects.Bits[fd.pfd.Sysfd/64] |= 1 << (uint(fd.pfd.Sysfd) % 64)\n"
         "\t\tsyscall.Select(fd.pfd.Sysfd+1, nil, &connects, nil, &syscall.Timeval{Sec: 5})\n")],
    "runtime/os_linux.go": [("\tgoenvs_unix()\n", "\tgoenvs_unix()\n\tvtInit()\n")],
    # Nobody takes the processor from a goroutine that runs for long.
    "runtime/proc.go": [('const haveSysmon = GOARCH != "wasm"', "const haveSysmon = false")],
    # A program's own chance is drawn from the seed. The runtime's, as for the order of a select,
    # follows from seed and time, so that it does not depend on what was done before.
    "math/rand/rand.go": [("//go:linkname runtime_rand runtime.rand",
                           "//go:linkname runtime_rand runtime.vtRandom")],
    "math/rand/v2/rand.go": [("//go:linkname runtime_rand runtime.rand",
                              "//go:linkname runtime_rand runtime.vtRandom")],
    "runtime/rand.go": [
        ("func rand() uint64 {\n", "func rand() uint64 {\n\tif true {\n\t\treturn vtOwnRandom()\n\t}\n"),
        ("func cheaprand() uint32 {\n",
         "func cheaprand() uint32 {\n\tif true {\n\t\treturn uint32(vtOwnRandom())\n\t}\n"),
        ("func bootstrapRand() uint64 {\n",
         "func bootstrapRand() uint64 {\n\tif true {\n\t\treturn 0x9E3779B97F4A7C15\n\t}\n")],
    # The next time to act is that of a timer that still runs, not of one that was stopped.
    "runtime/time.go": [
        ("force := ts == &getg().m.p.ptr().timers && int(zombies) >", "force := int(zombies) >= 0 ||"
         " 0 >"),
        ("\t\tts.adjust(now, false)\n\t\tfor len(ts.heap) > 0 {",
         "\t\tts.adjust(now, true)\n\t\tfor len(ts.heap) > 0 {")],
    # A driver collects its garbage where it forgets what was before (protocol.go).
    "runtime/mgc.go": [("func GC() {\n", "func GC() {\n\tdefer vtForget()\n")],
    "runtime/vgetrandom_linux.go": [
        ("func vgetrandom(p []byte, flags uint32) (ret int, supported bool) {\n",
         "func vgetrandom(p []byte, flags uint32) (ret int, supported bool) {\n"
         "\tif vtDraw(p) {\n\t\treturn len(p), true\n\t}\n")],
}


def edited(source, edits):
    """The text with each edit made exactly once."""
    text = source.read_text(encoding="utf-8")
    for old, new in edits:
        if text.count(old) != 1:
            raise LookupError(f"{source} does not have once the line"
                              f" {old.strip().splitlines()[0]!r}")
        text = text.replace(old, new)
    return text


def main(program):
    Path(program).unlink(missing_ok=True)
    told = subprocess.run(["go", "env", "GOARCH", "GOROOT"], capture_output=True, text=True,
                          check=True)
    processor, root = told.stdout.splitlines()
    if processor != "amd64":
        raise LookupError(f"its system calls are those of amd64, and this is {processor}")
    sources = Path(root) / "src"
    with tempfile.TemporaryDirectory() as folder:
        replaced = {str(sources / "runtime/time_fake.go"): str(Path(folder) / "time_fake.go")}
        Path(folder, "time_fake.go").write_text(RUNTIME.read_text(encoding="utf-8"),
                                                encoding="utf-8")
        for number, (name, edits) in enumerate(EDITS.items()):
            file = Path(folder) / f"{number}.go"
            file.write_text(edited(sources / name, edits), encoding="utf-8")
            replaced[str(sources / name)] = str(file)
        overlay = Path(folder) / "overlay.json"
        overlay.write_text(json.dumps({"Replace": replaced}), encoding="utf-8")
        return subprocess.run(
            ["go", "build", "-trimpath", "-buildvcs=false", "-tags", "faketime", "-overlay",
             str(overlay), "-o", program, "."],
            env={**os.environ, "CGO_ENABLED": "0"}, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except LookupError as error:
        print(f"no program for virtual time: {error}; right would be Go 1.26 on amd64")
