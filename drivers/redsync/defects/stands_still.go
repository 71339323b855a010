// redsync 4.18.1, go-redis 9.23.0: while one of three servers hangs, Lock() awaits its reply for
// go-redis's ReadTimeout, as ContextTimeoutEnabled is not set; a shorter expiry is over by then.
// Tracker: https://github.com/go-redsync/redsync/issues/140, closed with the option WithFailFast.
// Run in the installed folder: go run defects/stands_still.go
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	client "github.com/redis/go-redis/v9"
)

func main() {
	var servers, pools = []*exec.Cmd{}, []redis.Pool{}
	for _, port := range []string{"7881", "7882", "7883"} {
		server := exec.Command("redis-server", "--port", port, "--save", "")
		server.Start()
		servers = append(servers, server)
		pools = append(pools, goredis.NewPool(client.NewClient(&client.Options{Addr: ":" + port})))
	}
	time.Sleep(500 * time.Millisecond)
	servers[2].Process.Signal(syscall.SIGSTOP)
	mutex := redsync.New(pools...).NewMutex("the lock", redsync.WithExpiry(2*time.Second))
	began, err := time.Now(), mutex.TryLock()
	fmt.Println("with two of three servers well, after", time.Since(began), err)
	for _, server := range servers {
		server.Process.Kill()
	}
	if err != nil {
		fmt.Println("DEFECT")
		os.Exit(1)
	}
}
