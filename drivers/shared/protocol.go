// The loop of PROTOCOL.md for drivers in Go: serve(lock).
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// said is an answer, or a part of one.
type said map[string]any

// asked is a line that the driver is told.
type asked struct {
	ID     uint64          `json:"id"`
	Op     string          `json:"op"`
	Key    string          `json:"key"`
	TTL    int64           `json:"ttl_ms"`
	Wait   int64           `json:"wait_ms"`
	Renew  bool            `json:"renew"`
	Nodes  []string        `json:"nodes"`
	Client json.RawMessage `json:"client"`
	Lib    json.RawMessage `json:"lib"`
}

// driver is what each library's driver is.
type driver interface {
	traits() said // what `hello` says; what is left out is one server, and false
	open(asked) error
	// granted, token, fence; its caller may end ctx while it is under way, and not later
	acquire(ctx context.Context, wait time.Duration) (said, error)
	extend() (bool, error)
	release() (any, error) // true, false, or nil where the library tells nothing
	close()
	validMs() any        // left of the grant by the library's word, or nil; below 0 if over
	refuses(error) bool  // it is a refusal, and no error
	definite(error) bool // nothing can have happened at the server, had it been sent only once
	connections() int64  // opened so far: clients send again on a new one what was not answered
}

// errNone is of what a lock cannot be told.
var errNone = errors.New("it cannot be told so")

var (
	begin = time.Now()
	out   = json.NewEncoder(os.Stdout)
	outBy sync.Mutex
	tries atomic.Int64 // so many began: a loss is told of the latest
	lost  atomic.Bool
)

func us() int64 { return time.Since(begin).Microseconds() }

func say(line said) {
	outBy.Lock()
	defer outBy.Unlock()
	if err := out.Encode(line); err != nil {
		os.Exit(1)
	}
}

// teller is for a library that tells of a loss: what it returns tells so of the present try alone.
func teller() func(what string) {
	mine := tries.Load()
	return func(what string) {
		if tries.Load() == mine && lost.CompareAndSwap(false, true) {
			say(said{"ev": "lost", "what": what})
		}
	}
}

// version is that of a module that the driver is built with.
func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, each := range info.Deps {
		if each.Path == module {
			return strings.TrimPrefix(each.Version, "v")
		}
	}
	return "unknown"
}

// try is the one under way, which its caller may cancel.
type try struct {
	sync.Mutex
	id        uint64 // 0: none
	cancel    context.CancelFunc
	cancelled bool
}

var tried try

func (the *try) begin(id uint64) context.Context {
	the.Lock()
	defer the.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	the.id, the.cancel, the.cancelled = id, cancel, false
	return ctx
}

// end says whether it was cancelled. Its context stays as it is: a grant may hang on it.
func (the *try) end() bool {
	the.Lock()
	defer the.Unlock()
	the.id = 0
	return the.cancelled
}

func (the *try) stop(id uint64) {
	the.Lock()
	defer the.Unlock()
	if the.id == id {
		the.cancelled = true
		the.cancel()
	}
}

// listen hands on what is asked; a cancel does not wait for its turn.
func listen(to chan<- asked) {
	defer close(to)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1_000_000)
	for lines.Scan() {
		var of asked
		if err := json.Unmarshal(lines.Bytes(), &of); err != nil {
			panic(err)
		}
		if of.Op == "cancel" {
			tried.stop(of.ID)
		} else {
			to <- of
		}
	}
}

// forget lets what was opened before come to its end, and collects it: in virtual time, where that
// would happen at a time of its own, and what follows depend on it.
func forget() {
	for range 100 {
		runtime.Gosched()
	}
	runtime.GC()
}

var results = map[string]string{"acquire": "granted", "extend": "extended", "release": "released"}

func call(lock driver, of asked) (said, error) {
	switch of.Op {
	case "hello":
		got := said{"nodes": "one", "waits": false, "renews": false, "extends": false,
			"tells": false, "fences": false}
		for key, value := range lock.traits() {
			got[key] = value
		}
		return got, nil
	case "open":
		tries.Add(1)
		lock.close()
		if os.Getenv("GOGC") == "off" {
			forget()
		}
		return said{}, lock.open(of)
	case "acquire":
		tries.Add(1)
		lost.Store(false)
		ctx := tried.begin(of.ID)
		got, err := lock.acquire(ctx, time.Duration(of.Wait)*time.Millisecond)
		if tried.end() && err != nil {
			return said{"error": err.Error(), "definite": false}, nil
		}
		if err == nil && got["granted"] == true {
			got["valid_ms"] = lock.validMs()
		}
		return got, err
	case "step":
		return said{"ok": true, "lost": lost.Load(), "valid_ms": lock.validMs()}, nil
	case "extend":
		yes, err := lock.extend()
		return said{"extended": yes, "valid_ms": lock.validMs()}, err
	case "release":
		yes, err := lock.release()
		return said{"released": yes}, err
	}
	lock.close()
	return said{}, nil
}

func answer(lock driver, of asked) said {
	before := lock.connections()
	got, err := call(lock, of)
	if err == nil {
		return got
	}
	if result := results[of.Op]; result != "" && lock.refuses(err) {
		return said{result: false}
	}
	return said{"error": err.Error(), "definite": lock.definite(err) && lock.connections() == before}
}

func serve(lock driver) {
	asks := make(chan asked)
	go listen(asks)
	for of := range asks {
		called := us()
		got := answer(lock, of)
		got["id"], got["called_us"], got["answered_us"] = of.ID, called, us()
		say(got)
		if of.Op == "exit" {
			return
		}
	}
}
