// Drives RLock of Redisson: ../PROTOCOL.md; with the word `fair` that of getFairLock, with
// `fenced` that of getFencedLock, with `spin` that of getSpinLock, with `multi` one of getMultiLock
// with a lock at each server. Where it is to renew, its watchdog does, with the TTL as
// lockWatchdogTimeout; else the TTL is the lock's leaseTime. Where `lib` says `scaled`, its
// time-outs are to the TTL what they are by default to 30 s.
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.EqualJitterDelay;
import org.redisson.config.SingleServerConfig;

public class Driver implements Protocol.Lock {
    private static final long USUAL_TTL_MS = 30000;
    private final String kind;
    private final List<RedissonClient> clients = new ArrayList<>();
    private RLock lock;
    private long leaseMs;

    Driver(String kind) {
        this.kind = kind;
    }

    public Map<String, Object> traits() {
        return Map.of("library", "redisson", "version", Protocol.version(Redisson.class),
            "waits", true, "renews", true, "fences", kind.equals("fenced"), "nodes",
            kind.equals("multi") ? "many" : "one");
    }

    public void open(Map<String, Object> asked) {
        long ttl = Protocol.number(asked, "ttl_ms");
        boolean renews = Boolean.TRUE.equals(asked.get("renew"));
        List<RLock> locks = new ArrayList<>();
        for (Object node : (List<?>) asked.get("nodes")) {
            RedissonClient client = connect(asked, node, ttl, renews);
            clients.add(client);
            locks.add(lockOf(client, (String) asked.get("key")));
        }
        lock = locks.get(0);
        if (kind.equals("multi")) lock = clients.get(0).getMultiLock(locks.toArray(new RLock[0]));
        leaseMs = renews || ttl == 0 ? -1 : ttl;
    }

    private static RedissonClient connect(
        Map<String, Object> asked, Object node, long ttl, boolean renews) {
        Config config = new Config();
        if (renews && ttl > 0) config.setLockWatchdogTimeout(ttl);
        SingleServerConfig server = config.useSingleServer();
        server.setAddress("redis://" + node);
        Object scaled = ((Map<?, ?>) asked.get("lib")).get("scaled");
        if (Boolean.TRUE.equals(scaled)) scale(config, server, ttl);
        return Redisson.create(config);
    }

    private RLock lockOf(RedissonClient client, String key) {
        return switch (kind) {
            case "fair" -> client.getFairLock(key);
            case "fenced" -> client.getFencedLock(key);
            case "spin" -> client.getSpinLock(key);
            default -> client.getLock(key);
        };
    }

    private static void scale(Config config, SingleServerConfig server, long ttl) {
        server.setTimeout((int) (server.getTimeout() * ttl / USUAL_TTL_MS));
        server.setRetryDelay(new EqualJitterDelay(Duration.ofMillis(1000 * ttl / USUAL_TTL_MS),
            Duration.ofMillis(2000 * ttl / USUAL_TTL_MS)));
        config.setFairLockWaitTimeout(config.getFairLockWaitTimeout() * ttl / USUAL_TTL_MS);
    }

    public Map<String, Object> acquire(long waitMs) throws Exception {
        if (lock instanceof RFencedLock fenced) {
            Long fence = fenced.tryLockAndGetToken(waitMs, leaseMs, TimeUnit.MILLISECONDS);
            if (fence == null) return Map.of("granted", false);
            return Map.of("granted", true, "fence", fence);
        }
        return Map.of("granted", lock.tryLock(waitMs, leaseMs, TimeUnit.MILLISECONDS));
    }

    public Boolean release() {
        lock.unlock();
        return true;
    }

    public boolean refuses(Exception error) {
        return error instanceof IllegalMonitorStateException;
    }

    public void close() {
        for (RedissonClient each : clients) each.shutdown(0, 100, TimeUnit.MILLISECONDS);
        clients.clear();
    }

    public static void main(String[] words) throws Exception {
        Protocol.serve(new Driver(words.length > 0 ? words[0] : "plain"));
    }
}
