// Drives @NAME@: ../PROTOCOL.md. Put your lock's calls in place of these, which are SET NX PX.
package main

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

const deleteScript = "if redis.call('get',KEYS[1])==ARGV[1] then " +
	"return redis.call('del',KEYS[1]) end return 0"

type lock struct {
	client     *redis.Client
	key, token string
	ttl        time.Duration
}

func (its *lock) traits() said { return said{"library": "@NAME@", "version": "1"} }

func (its *lock) open(of asked) error {
	its.client = redis.NewClient(&redis.Options{Addr: of.Nodes[0]})
	its.key, its.ttl = of.Key, time.Duration(of.TTL)*time.Millisecond
	return nil
}

func (its *lock) acquire(ctx context.Context, wait time.Duration) (said, error) {
	its.token = rand.Text()
	granted, err := its.client.SetNX(ctx, its.key, its.token, its.ttl).Result()
	return said{"granted": granted}, err
}

func (its *lock) release() (any, error) {
	keys := []string{its.key}
	deleted, err := its.client.Eval(context.Background(), deleteScript, keys, its.token).Int()
	return deleted == 1, err
}

func (its *lock) close() {
	if its.client != nil {
		its.client.Close()
	}
}

// What it cannot do, or does not tell.
func (its *lock) extend() (bool, error) { return false, errNone }
func (its *lock) validMs() any          { return nil }
func (its *lock) refuses(error) bool    { return false }
func (its *lock) definite(error) bool   { return false }
func (its *lock) connections() int64    { return 0 }

func main() { serve(&lock{}) }
