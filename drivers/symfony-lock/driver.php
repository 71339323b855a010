<?php
// Drives Symfony's Lock with RedisStore on phpredis: ../PROTOCOL.md. A try stores the lock for the
// store's initialTtl, here the TTL, and with the word `initial` its own 300 s; then it is given the
// TTL. acquire(true) waits for ever, and is not used here.
require 'protocol.php';
require 'Symfony/Component/Lock/autoload.php';

use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\LockInterface;
use Symfony\Component\Lock\Store\RedisStore;

class SymfonyLock extends Driver
{
    private ?Redis $client = null;
    private LockFactory $factory;
    private ?LockInterface $lock = null;
    private string $key;
    private float $ttl;

    public function traits(): array
    {
        return ['library' => 'symfony/lock', 'version' => version(),
                'extends' => true];
    }

    public function open(array $asked): void
    {
        global $argv;
        $this->client = connect($asked['nodes'][0]);
        [$this->key, $this->ttl] = [$asked['key'], $asked['ttl_ms'] / 1000];
        $initial = in_array('initial', $argv) ? [] : [$this->ttl];
        $this->factory = new LockFactory(new RedisStore($this->client, ...$initial));
    }

    public function acquire(int $wait): bool
    {
        $this->lock = $this->factory->createLock($this->key, $this->ttl, false);
        return $this->lock->acquire();
    }

    public function extend(): bool
    {
        try {
            $this->lock->refresh();
        } catch (LockConflictedException) {
            throw new Refused();
        }
        return true;
    }

    public function release(): ?bool
    {
        $this->lock->release();
        return null;
    }

    public function valid_ms(): ?int
    {
        $left = $this->lock?->getRemainingLifetime();
        return $left === null ? null : (int) ($left * 1000);
    }

    public function close(): void
    {
        $this->client?->close();
    }
}

serve(new SymfonyLock());
