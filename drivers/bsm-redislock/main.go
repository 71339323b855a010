// Drives bsm/redislock with go-redis: ../PROTOCOL.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

// It does not wait unless it is told how often to ask; its README asks every 0.1 s.
const every = 100 * time.Millisecond

// bsmLock has go-redis's own time-outs.
type bsmLock struct {
	client *redis.Client
	key    string
	ttl    time.Duration
	lock   *redislock.Lock
	opened atomic.Int64
	failed atomic.Bool // a command of the present try, by no word of the server
}

func (lock *bsmLock) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		lock.opened.Add(1)
		return next(ctx, network, addr)
	}
}

func (lock *bsmLock) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, command redis.Cmder) error {
		err := next(ctx, command)
		if err != nil && !saidByServer(err) {
			lock.failed.Store(true)
		}
		return err
	}
}

func (lock *bsmLock) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func saidByServer(err error) bool {
	var answered redis.Error
	return errors.As(err, &answered)
}

func (lock *bsmLock) traits() said {
	return said{"library": "bsm/redislock", "version": version("github.com/bsm/redislock"),
		"waits": true, "extends": true}
}

func (lock *bsmLock) open(of asked) error {
	var settings struct {
		ContextTimeoutEnabled bool `json:"context_timeout_enabled"`
	}
	if err := json.Unmarshal(of.Lib, &settings); of.Lib != nil && err != nil {
		return err
	}
	lock.key, lock.ttl = of.Key, time.Duration(of.TTL)*time.Millisecond
	lock.client = redis.NewClient(&redis.Options{
		Addr:                  of.Nodes[0],
		ContextTimeoutEnabled: settings.ContextTimeoutEnabled,
	})
	lock.client.AddHook(lock)
	return nil
}

func (lock *bsmLock) acquire(ctx context.Context, wait time.Duration) (said, error) {
	lock.failed.Store(false)
	options := (*redislock.Options)(nil)
	if wait > 0 {
		limit, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		ctx, options = limit, &redislock.Options{RetryStrategy: redislock.LinearBackoff(every)}
	}
	got, err := redislock.Obtain(ctx, lock.client, lock.key, lock.ttl, options)
	if err != nil {
		return nil, err
	}
	lock.lock = got
	return said{"granted": true, "token": got.Token()}, nil
}

func (lock *bsmLock) extend() (bool, error) {
	return true, lock.lock.Refresh(context.Background(), lock.ttl, nil)
}

func (lock *bsmLock) release() (any, error)   { return true, lock.lock.Release(context.Background()) }
func (lock *bsmLock) validMs() any            { return nil }
func (lock *bsmLock) definite(err error) bool { return saidByServer(err) }
func (lock *bsmLock) connections() int64      { return lock.opened.Load() }

// Somebody else has it, or nobody any more; or its waiting was over before it had it.
func (lock *bsmLock) refuses(err error) bool {
	return errors.Is(err, redislock.ErrNotObtained) || errors.Is(err, redislock.ErrLockNotHeld) ||
		(errors.Is(err, context.DeadlineExceeded) && !lock.failed.Load())
}

func (lock *bsmLock) close() {
	if lock.client != nil {
		lock.client.Close()
	}
	lock.client = nil
}

func main() { serve(&bsmLock{}) }
