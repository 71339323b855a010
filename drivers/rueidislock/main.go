// Drives rueidislock as its README has it, with one key (KeyMajority 1) and NoLoopTracking:
// ../PROTOCOL.md. It always renews: where it is not to, its ExtendInterval is an hour.
package main

import (
	"context"
	"errors"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

type rueidisLock struct {
	locker  rueidislock.Locker
	key     string
	held    context.Context
	leave   context.CancelFunc
	leaving chan struct{} // closed before it is given up
}

func (lock *rueidisLock) traits() said {
	return said{"library": "rueidislock", "version": version("github.com/redis/rueidis"),
		"waits": true, "renews": true, "tells": true}
}

func (lock *rueidisLock) open(of asked) error {
	options := rueidislock.LockerOption{
		ClientOption:   rueidis.ClientOption{InitAddress: of.Nodes},
		KeyMajority:    1,
		KeyValidity:    time.Duration(of.TTL) * time.Millisecond,
		NoLoopTracking: true,
	}
	if !of.Renew {
		options.ExtendInterval = time.Hour
	}
	made, err := rueidislock.NewLocker(options)
	lock.locker, lock.key = made, of.Key
	return err
}

func (lock *rueidisLock) acquire(ctx context.Context, wait time.Duration) (said, error) {
	var err error
	if wait == 0 {
		lock.held, lock.leave, err = lock.locker.TryWithContext(ctx, lock.key)
	} else {
		// A deadline would be the grant's too.
		ctx, stop := context.WithCancel(ctx)
		patience := time.AfterFunc(wait, stop)
		lock.held, lock.leave, err = lock.locker.WithContext(ctx, lock.key)
		if !patience.Stop() && err == nil {
			lock.leave()
			err = context.Canceled
		}
	}
	if err != nil {
		return nil, err
	}
	lock.leaving = make(chan struct{})
	go watch(lock.held, lock.leaving, teller())
	return said{"granted": true}, nil
}

// A grant's context ends when it is lost, and when it is given up.
func watch(held context.Context, leaving chan struct{}, tell func(string)) {
	select {
	case <-leaving:
	case <-held.Done():
		select {
		case <-leaving:
		default:
			tell(held.Err().Error())
		}
	}
}

func (lock *rueidisLock) release() (any, error) {
	close(lock.leaving)
	lost := lock.held.Err() != nil
	lock.leave()
	if lost {
		return false, nil
	}
	return nil, nil
}

func (lock *rueidisLock) refuses(err error) bool {
	return errors.Is(err, rueidislock.ErrNotLocked) || errors.Is(err, context.Canceled)
}

func (lock *rueidisLock) extend() (bool, error) { return false, errNone }
func (lock *rueidisLock) validMs() any          { return nil }
func (lock *rueidisLock) definite(error) bool   { return false }
func (lock *rueidisLock) connections() int64    { return 0 }

func (lock *rueidisLock) close() {
	if lock.locker != nil {
		lock.locker.Close()
	}
	lock.locker = nil
}

func main() { serve(&rueidisLock{}) }
