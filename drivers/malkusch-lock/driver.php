<?php
// Drives PHPRedisMutex of malkusch/lock on phpredis: ../PROTOCOL.md. Its synchronized() takes what
// is to be done under the lock: a fiber, which the release goes on with. Its time-out, in whole
// seconds, is how long it waits, and a second less than the TTL.
require 'protocol.php';
require 'Malkusch/Lock/autoload.php';

use malkusch\lock\exception\ExecutionOutsideLockException;
use malkusch\lock\exception\LockReleaseException;
use malkusch\lock\exception\PhpLockException;
use malkusch\lock\exception\TimeoutException;
use malkusch\lock\mutex\PHPRedisMutex;

class MalkuschLock extends Driver
{
    private array $clients = [];
    private PHPRedisMutex $mutex;
    private ?Fiber $holder = null;

    public function traits(): array
    {
        return ['library' => 'malkusch/lock', 'version' => version(),
                'nodes' => 'many', 'waits' => true];
    }

    public function open(array $asked): void
    {
        $this->clients = array_map($this->connected(...), $asked['nodes']);
        $timeout = intdiv($asked['ttl_ms'], 1000) - 1;
        $this->mutex = new PHPRedisMutex($this->clients, $asked['key'], $timeout);
    }

    /** A server that is down is a client that fails. */
    private function connected(string $node): Redis
    {
        try {
            return connect($node);
        } catch (RedisException) {
            return new Redis();
        }
    }

    public function acquire(int $wait): bool
    {
        $this->end();
        $this->holder = new Fiber(fn() => $this->mutex->synchronized(fn() => Fiber::suspend()));
        try {
            $this->holder->start();
        } catch (TimeoutException) {
            return false;
        }
        return true;
    }

    // What has run for longer than its time-out is told so, and its key is left as it is.
    public function release(): ?bool
    {
        try {
            $this->holder->resume();
        } catch (ExecutionOutsideLockException | LockReleaseException) {
            return false;
        }
        return true;
    }

    // A fiber that is dropped would end too, by its `finally`, and throw.
    private function end(): void
    {
        try {
            if ($this->holder?->isSuspended()) $this->holder->resume();
        } catch (PhpLockException) {
        }
    }

    public function close(): void
    {
        $this->end();
        foreach ($this->clients as $client) $client->close();
        $this->clients = [];
    }
}

serve(new MalkuschLock());
