package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
)

// A lease of 1 s is the shortest: etcd wants it to outlast one and a half elections.
const (
	tickMs     = 50
	electionMs = 500
)

func freePort() int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func address(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// nodes are the servers of one cluster, each a process.
type nodes struct {
	folder  string
	cluster string
	clients []string
	peers   []string
	running []*exec.Cmd
}

func (all *nodes) start(i int) error {
	name := fmt.Sprintf("n%d", i)
	command := exec.Command(os.Args[0], "node", name, filepath.Join(all.folder, name),
		all.clients[i], all.peers[i], all.cluster)
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	all.running[i] = command
	return command.Start()
}

func (all *nodes) await() error {
	for _, client := range all.clients {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		its, err := clientv3.New(clientv3.Config{Endpoints: []string{client}})
		if err != nil {
			return err
		}
		defer its.Close()
		for {
			try, done := context.WithTimeout(ctx, 2*time.Second)
			_, err = its.Get(try, "ready")
			done()
			if err == nil || ctx.Err() != nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// do is one of: stop, go_on, kill, start.
func (all *nodes) do(what string, node int) error {
	process := all.running[node].Process
	switch what {
	case "stop":
		return process.Signal(syscall.SIGSTOP)
	case "go_on":
		return process.Signal(syscall.SIGCONT)
	case "kill":
		if err := process.Kill(); err != nil {
			return err
		}
		_ = all.running[node].Wait()
		return nil
	case "start":
		return all.start(node)
	}
	return fmt.Errorf("nothing is called %q", what)
}

// serveNodes starts `count` servers whose data are in `folder`, and does what it is told on stdin.
func serveNodes(count, folder string) {
	runtime.LockOSThread() // servers end with the thread that started them
	number, err := strconv.Atoi(count)
	if err != nil {
		panic(err)
	}
	all := nodes{folder: folder, running: make([]*exec.Cmd, number)}
	var cluster []string
	for i := 0; i < number; i++ {
		all.clients = append(all.clients, address(freePort()))
		all.peers = append(all.peers, address(freePort()))
		cluster = append(cluster, fmt.Sprintf("n%d=http://%s", i, all.peers[i]))
	}
	all.cluster = strings.Join(cluster, ",")
	for i := range all.running {
		if err := all.start(i); err != nil {
			panic(err)
		}
	}
	if err := all.await(); err != nil {
		panic(err)
	}
	say(said{"nodes": all.clients})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var told struct {
			Op   string `json:"op"`
			Node int    `json:"node"`
		}
		err := json.Unmarshal(lines.Bytes(), &told)
		if err == nil {
			err = all.do(told.Op, told.Node)
		}
		if err != nil {
			say(said{"error": err.Error()})
		} else {
			say(said{"done": told.Op})
		}
	}
}

func urls(address string) []url.URL { return []url.URL{{Scheme: "http", Host: address}} }

// beNode is told its name, its folder, its two addresses and the cluster's. It does not wait for
// the disk: its process may be killed here, and the machine does not lose its power.
func beNode(told []string) {
	config := embed.NewConfig()
	config.Name, config.Dir = told[0], told[1]
	config.ListenClientUrls, config.AdvertiseClientUrls = urls(told[2]), urls(told[2])
	config.ListenPeerUrls, config.AdvertisePeerUrls = urls(told[3]), urls(told[3])
	config.InitialCluster = told[4]
	config.TickMs, config.ElectionMs = tickMs, electionMs
	config.UnsafeNoFsync = true
	config.LogLevel = "error"
	server, err := embed.StartEtcd(config)
	if err != nil {
		panic(err)
	}
	panic(<-server.Err())
}
