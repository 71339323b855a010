<?php
// The loop of PROTOCOL.md for drivers in PHP: serve($lock), of a class made of Driver.

/** What is thrown where the lock is another's, or nobody's any more. */
class Refused extends Exception
{
}

abstract class Driver
{
    /** What `hello` says; what is left out is one server, and false. */
    abstract public function traits(): array;

    abstract public function open(array $asked): void;

    /** True or false, or what is said beside `granted`, which is true. In milliseconds. */
    abstract public function acquire(int $wait): bool|array;

    /** True, false, or null where the library tells nothing. */
    abstract public function release(): ?bool;

    public function extend(): bool
    {
        throw new LogicException('it cannot be told to extend');
    }

    /** Left of the grant by the library's word, below 0 if over; null: it does not tell. */
    public function valid_ms(): ?int
    {
        return null;
    }

    public function close(): void
    {
    }
}

/** The release of Debian's package, which its installation wrote, without what Debian adds. */
function version(): string
{
    return preg_replace('/[+-].*/s', '', file_get_contents('version'));
}

/** A client of phpredis. */
function connect(string $node): Redis
{
    [$host, $port] = explode(':', $node);
    $client = new Redis();
    $client->connect($host, (int) $port);
    return $client;
}

function call(Driver $lock, array $asked): array
{
    switch ($asked['op']) {
        case 'hello':
            $traits = array_fill_keys(['waits', 'renews', 'extends', 'tells', 'fences'], false);
            return ['nodes' => 'one', ...$traits, ...$lock->traits()];
        case 'open':
            $lock->close();
            $lock->open($asked);
            return [];
        case 'acquire':
            $got = $lock->acquire($asked['wait_ms']);
            if ($got === false) return ['granted' => false];
            $more = is_array($got) ? $got : [];
            return ['granted' => true, ...$more, 'valid_ms' => $lock->valid_ms()];
        case 'step':
            return ['ok' => true, 'lost' => false, 'valid_ms' => $lock->valid_ms()];
        case 'extend':
            return ['extended' => $lock->extend(), 'valid_ms' => $lock->valid_ms()];
        case 'release':
            return ['released' => $lock->release()];
        default:
            $lock->close();
            return [];
    }
}

function answer(Driver $lock, array $asked): array
{
    $results = ['acquire' => 'granted', 'extend' => 'extended', 'release' => 'released'];
    try {
        return call($lock, $asked);
    } catch (Refused) {
        return [$results[$asked['op']] => false];
    } catch (Throwable $error) {
        $what = $error::class . ': ' . $error->getMessage();
        return ['error' => $what, 'definite' => false];
    }
}

function serve(Driver $lock): void
{
    $us = fn() => intdiv(hrtime(true), 1000);
    while (($line = fgets(STDIN)) !== false) {
        $asked = json_decode($line, true);
        $called = $us();
        $said = answer($lock, $asked);
        $times = ['called_us' => $called, 'answered_us' => $us()];
        fwrite(STDOUT, json_encode(['id' => $asked['id'], ...$times, ...$said]) . "\n");
        if ($asked['op'] === 'exit') break;
    }
}
