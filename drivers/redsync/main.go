// Drives redsync with go-redis: ../PROTOCOL.md.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	goredislib "github.com/redis/go-redis/v9"
)

type said map[string]any

type asked struct {
	ID     uint64   `json:"id"`
	Op     string   `json:"op"`
	Key    string   `json:"key"`
	TTL    int64    `json:"ttl_ms"`
	Wait   int64    `json:"wait_ms"`
	Nodes  []string `json:"nodes"`
	Client struct {
		MaxRetries            int  `json:"max_retries"`
		ReadTimeout           int  `json:"read_timeout_ms"`
		ContextTimeoutEnabled bool `json:"context_timeout_enabled"`
	} `json:"client"`
}

var (
	begin   = time.Now()
	clients []*goredislib.Client
	mutex   *redsync.Mutex
	// Opened so far: go-redis sends a command again on a new one.
	connections atomic.Int64
)

func us() int64 { return time.Since(begin).Microseconds() }

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, each := range info.Deps {
		if strings.HasPrefix(each.Path, "github.com/go-redsync/redsync") {
			return strings.TrimPrefix(each.Version, "v")
		}
	}
	return "unknown"
}

func disconnect() {
	for _, client := range clients {
		client.Close()
	}
	clients = nil
}

func open(of asked) {
	disconnect()
	var pools []redis.Pool
	for _, node := range of.Nodes {
		client := goredislib.NewClient(&goredislib.Options{
			Addr:                  node,
			MaxRetries:            of.Client.MaxRetries,
			ReadTimeout:           time.Duration(of.Client.ReadTimeout) * time.Millisecond,
			ContextTimeoutEnabled: of.Client.ContextTimeoutEnabled,
			OnConnect: func(context.Context, *goredislib.Conn) error {
				connections.Add(1)
				return nil
			},
		})
		clients = append(clients, client)
		pools = append(pools, goredis.NewPool(client))
	}
	var options []redsync.Option
	if of.TTL > 0 {
		options = append(options, redsync.WithExpiry(time.Duration(of.TTL)*time.Millisecond))
	}
	mutex = redsync.New(pools...).NewMutex(of.Key, options...)
}

// Somebody else has it, or nobody any more.
func isRefusal(err error) bool {
	var taken *redsync.ErrTaken
	var node *redsync.ErrNodeTaken
	return errors.As(err, &taken) || errors.As(err, &node) || errors.Is(err, redsync.ErrFailed) ||
		errors.Is(err, redsync.ErrLockAlreadyExpired) || errors.Is(err, redsync.ErrExtendFailed)
}

func result(name string, yes bool, err error, before int64) said {
	if yes {
		return said{name: true, "valid_ms": max(0, time.Until(mutex.Until()).Milliseconds())}
	}
	var failed *redsync.RedisError
	if err == nil || (isRefusal(err) && !errors.As(err, &failed)) {
		return said{name: false}
	}
	var refused goredislib.Error // the server's own, of a command that was sent once
	definite := len(clients) == 1 && errors.As(err, &refused) && connections.Load() == before
	return said{"error": err.Error(), "definite": definite}
}

func answer(of asked) said {
	before := connections.Load()
	switch of.Op {
	case "hello":
		return said{"library": "redsync", "version": version(), "nodes": "many", "waits": true,
			"renews": false, "extends": true, "tells": false, "fences": false}
	case "open":
		open(of)
	case "acquire":
		err := error(nil)
		if of.Wait > 0 {
			limit, cancel := context.WithTimeout(context.Background(),
				time.Duration(of.Wait)*time.Millisecond)
			defer cancel()
			err = mutex.LockContext(limit)
		} else {
			err = mutex.TryLock()
		}
		got := result("granted", err == nil, err, before)
		if err == nil {
			got["token"] = mutex.Value()
		}
		return got
	case "step":
		return said{"ok": true, "lost": false,
			"valid_ms": max(0, time.Until(mutex.Until()).Milliseconds())}
	case "extend":
		yes, err := mutex.Extend()
		return result("extended", yes, err, before)
	case "release":
		yes, err := mutex.Unlock()
		got := result("released", yes, err, before)
		delete(got, "valid_ms")
		return got
	case "close", "exit":
		disconnect()
	}
	return said{}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1_000_000)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var of asked
		if err := json.Unmarshal(lines.Bytes(), &of); err != nil {
			panic(err)
		}
		called := us()
		got := answer(of)
		got["id"], got["called_us"], got["answered_us"] = of.ID, called, us()
		if err := out.Encode(got); err != nil || of.Op == "exit" {
			return
		}
	}
}
