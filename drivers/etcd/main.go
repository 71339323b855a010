// Drives etcd's concurrency.Mutex: ../PROTOCOL.md. With `servers` it starts the servers, and with
// `node` it is one of them.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// etcdLock has a session for each client, and a new one where the last has ended.
type etcdLock struct {
	client  *clientv3.Client
	session *concurrency.Session
	mutex   *concurrency.Mutex
	key     string
	ttl     int // seconds
}

func (lock *etcdLock) traits() said {
	return said{"library": "etcd", "version": version("go.etcd.io/etcd/client/v3"),
		"waits": true, "renews": true, "tells": true, "fences": true}
}

func (lock *etcdLock) open(of asked) (err error) {
	lock.key = of.Key
	lock.ttl = int((of.TTL + 999) / 1000)
	lock.client, err = clientv3.New(clientv3.Config{Endpoints: of.Nodes})
	return err
}

func (lock *etcdLock) hasSession() bool {
	if lock.session == nil {
		return false
	}
	select {
	case <-lock.session.Done():
		return false
	default:
		return true
	}
}

func (lock *etcdLock) begin() (err error) {
	if lock.hasSession() {
		return nil
	}
	lock.session, err = concurrency.NewSession(lock.client, concurrency.WithTTL(lock.ttl))
	return err
}

func (lock *etcdLock) acquire(ctx context.Context, wait time.Duration) (said, error) {
	if err := lock.begin(); err != nil {
		return nil, err
	}
	lock.mutex = concurrency.NewMutex(lock.session, lock.key)
	ask := lock.mutex.TryLock
	if wait > 0 {
		limit, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		ctx, ask = limit, lock.mutex.Lock
	}
	if err := ask(ctx); err != nil {
		return nil, err
	}
	go func(done <-chan struct{}, tell func(string)) {
		<-done
		tell("the session has ended")
	}(lock.session.Done(), teller())
	return said{"granted": true, "token": lock.mutex.Key(), "fence": lock.mutex.Header().Revision}, nil
}

func (lock *etcdLock) extend() (bool, error) { return false, errNone }

// Unlock does not tell whether the key was still there.
func (lock *etcdLock) release() (any, error) {
	return nil, lock.mutex.Unlock(context.Background())
}

func (lock *etcdLock) validMs() any        { return nil }
func (lock *etcdLock) definite(error) bool { return false }
func (lock *etcdLock) connections() int64  { return 0 }
func (lock *etcdLock) refuses(err error) bool {
	return errors.Is(err, concurrency.ErrLocked) || errors.Is(err, context.DeadlineExceeded)
}

func (lock *etcdLock) close() {
	if lock.hasSession() {
		_ = lock.session.Close()
	}
	if lock.client != nil {
		_ = lock.client.Close()
	}
	lock.client, lock.session, lock.mutex = nil, nil, nil
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "servers" {
		serveNodes(os.Args[2], os.Args[3])
	} else if len(os.Args) > 1 && os.Args[1] == "node" {
		beNode(os.Args[2:])
	} else {
		serve(&etcdLock{})
	}
}
