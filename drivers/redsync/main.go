// Drives redsync with go-redis: ../PROTOCOL.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	goredislib "github.com/redis/go-redis/v9"
)

// redsyncLock has go-redis's own time-outs where `client` does not say others.
type redsyncLock struct {
	clients []*goredislib.Client
	mutex   *redsync.Mutex
	opened  atomic.Int64
}

func (lock *redsyncLock) traits() said {
	return said{"library": "redsync", "version": version("github.com/go-redsync/redsync/v4"),
		"nodes": "many", "waits": true, "extends": true}
}

func (lock *redsyncLock) open(of asked) error {
	var settings struct {
		MaxRetries            int  `json:"max_retries"`
		ReadTimeout           int  `json:"read_timeout_ms"`
		ContextTimeoutEnabled bool `json:"context_timeout_enabled"`
	}
	for _, raw := range []json.RawMessage{of.Client, of.Lib} {
		if err := json.Unmarshal(raw, &settings); raw != nil && err != nil {
			return err
		}
	}
	var pools []redis.Pool
	for _, node := range of.Nodes {
		client := goredislib.NewClient(&goredislib.Options{
			Addr:                  node,
			MaxRetries:            settings.MaxRetries,
			ReadTimeout:           time.Duration(settings.ReadTimeout) * time.Millisecond,
			ContextTimeoutEnabled: settings.ContextTimeoutEnabled,
			OnConnect: func(context.Context, *goredislib.Conn) error {
				lock.opened.Add(1)
				return nil
			},
		})
		lock.clients = append(lock.clients, client)
		pools = append(pools, goredis.NewPool(client))
	}
	var options []redsync.Option
	if of.TTL > 0 {
		options = append(options, redsync.WithExpiry(time.Duration(of.TTL)*time.Millisecond))
	}
	lock.mutex = redsync.New(pools...).NewMutex(of.Key, options...)
	return nil
}

func (lock *redsyncLock) acquire(ctx context.Context, wait time.Duration) (said, error) {
	ask := lock.mutex.TryLockContext
	if wait > 0 {
		limit, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		ctx, ask = limit, lock.mutex.LockContext
	}
	if err := ask(ctx); err != nil {
		return nil, err
	}
	return said{"granted": true, "token": lock.mutex.Value()}, nil
}

func (lock *redsyncLock) extend() (bool, error) { return lock.mutex.Extend() }
func (lock *redsyncLock) release() (any, error) { return lock.mutex.Unlock() }
func (lock *redsyncLock) connections() int64    { return lock.opened.Load() }

// validMs is unknown after a release, when `Until` is zero.
func (lock *redsyncLock) validMs() any {
	if lock.mutex.Until().IsZero() {
		return nil
	}
	return time.Until(lock.mutex.Until()).Milliseconds()
}

// Somebody else has it, or nobody any more.
func (lock *redsyncLock) refuses(err error) bool {
	var taken *redsync.ErrTaken
	var node *redsync.ErrNodeTaken
	var failed *redsync.RedisError
	return !errors.As(err, &failed) &&
		(errors.As(err, &taken) || errors.As(err, &node) || errors.Is(err, redsync.ErrFailed) ||
			errors.Is(err, redsync.ErrLockAlreadyExpired) || errors.Is(err, redsync.ErrExtendFailed))
}

// Of several servers another may have granted it.
func (lock *redsyncLock) definite(err error) bool {
	var refused goredislib.Error
	return len(lock.clients) == 1 && errors.As(err, &refused)
}

func (lock *redsyncLock) close() {
	for _, client := range lock.clients {
		client.Close()
	}
	lock.clients = nil
}

func main() { serve(&redsyncLock{}) }
