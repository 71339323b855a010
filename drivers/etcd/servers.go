package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
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

// node is one server, a process.
type node struct {
	command *exec.Cmd
	ended   chan struct{} // closed when it has
	killed  atomic.Bool   // it was told to
}

// cluster is all of them.
type cluster struct {
	folder  string
	members string
	clients []string
	peers   []string
	nodes   []*node
}

// start returns at once. A node that ends without having been told to ends the program.
func (all *cluster) start(i int) error {
	name := fmt.Sprintf("n%d", i)
	command := exec.Command(os.Args[0], "node", name, filepath.Join(all.folder, name),
		all.clients[i], all.peers[i], all.members)
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	its := &node{command: command, ended: make(chan struct{})}
	all.nodes[i] = its
	if err := command.Start(); err != nil {
		return err
	}
	go func() {
		err := command.Wait()
		close(its.ended)
		if !its.killed.Load() {
			fmt.Fprintf(os.Stderr, "server %s has ended by itself (%v)\n", name, err)
			os.Exit(1)
		}
	}()
	return nil
}

// asking calls what with a client of one server alone. The client is new: an older one would wait
// before it tries again to reach a server that was away.
func asking(address string, what func(its *clientv3.Client) error) error {
	its, err := clientv3.New(clientv3.Config{Endpoints: []string{address}})
	if err != nil {
		return err
	}
	defer its.Close()
	return what(its)
}

// await returns when each answers.
func (all *cluster) await() error {
	end := time.Now().Add(30 * time.Second)
	for _, address := range all.clients {
		err := asking(address, func(its *clientv3.Client) error {
			for {
				try, done := context.WithTimeout(context.Background(), 2*time.Second)
				_, err := its.Get(try, "ready")
				done()
				if err == nil || time.Now().After(end) {
					return err
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

var errNoLeader = errors.New("no server leads")

func (all *cluster) leader() (int, error) {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
		for i, address := range all.clients {
			leads := false
			_ = asking(address, func(its *clientv3.Client) error {
				try, done := context.WithTimeout(context.Background(), time.Second)
				defer done()
				said, err := its.Status(try, address)
				leads = err == nil && said.Leader == said.Header.MemberId
				return err
			})
			if leads {
				return i, nil
			}
		}
	}
	return 0, errNoLeader
}

func (all *cluster) kill(i int) error {
	its := all.nodes[i]
	its.killed.Store(true)
	if err := its.command.Process.Kill(); err != nil {
		return err
	}
	<-its.ended
	return nil
}

// order is a line that the program is told.
type order struct {
	Op   string `json:"op"`
	Node int    `json:"node"`
}

// do answers with more than "done" where the order has named no server.
func (all *cluster) do(told order) (said, error) {
	process := all.nodes[told.Node].command.Process
	switch told.Op {
	case "stop":
		return said{}, process.Signal(syscall.SIGSTOP)
	case "go_on":
		return said{}, process.Signal(syscall.SIGCONT)
	case "kill_leader":
		leader, err := all.leader()
		if err == nil {
			err = all.kill(leader)
		}
		return said{"node": leader}, err
	case "start":
		return said{}, all.start(told.Node)
	case "await":
		return said{}, all.await()
	}
	return nil, fmt.Errorf("nothing is called %q", told.Op)
}

// serveNodes starts `count` servers whose data are in `folder`, and does what it is told on stdin.
func serveNodes(count, folder string) {
	runtime.LockOSThread() // servers end with the thread that started them
	number, err := strconv.Atoi(count)
	if err != nil {
		panic(err)
	}
	all := cluster{folder: folder, nodes: make([]*node, number)}
	var members []string
	for i := 0; i < number; i++ {
		all.clients = append(all.clients, address(freePort()))
		all.peers = append(all.peers, address(freePort()))
		members = append(members, fmt.Sprintf("n%d=http://%s", i, all.peers[i]))
	}
	all.members = strings.Join(members, ",")
	for i := range all.nodes {
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
		var told order
		err := json.Unmarshal(lines.Bytes(), &told)
		answer := said{}
		if err == nil {
			answer, err = all.do(told)
		}
		if err != nil {
			answer = said{"error": err.Error()}
		} else {
			answer["done"] = told.Op
		}
		say(answer)
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
