// Drives Spring Integration's RedisLockRegistry on Lettuce: ../PROTOCOL.md; with the word `pub-sub`
// its PUB_SUB_LOCK, with `renewal` one with a renewal scheduler, where it is to renew. A lock waits
// in its process first.
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

public class Driver implements Protocol.Lock {
    private final List<String> words;
    private LettuceConnectionFactory connections;
    private ThreadPoolTaskScheduler scheduler;
    private RedisLockRegistry registry;
    private Lock lock;
    private String key;

    Driver(List<String> words) {
        this.words = words;
    }

    public Map<String, Object> traits() {
        return Map.of("library", "spring-integration", "version",
            Protocol.version(RedisLockRegistry.class), "waits", true, "extends", true, "renews",
            words.contains("renewal"));
    }

    public void open(Map<String, Object> asked) {
        String[] at = ((String) ((List<?>) asked.get("nodes")).get(0)).split(":");
        connections = new LettuceConnectionFactory(at[0], Integer.parseInt(at[1]));
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(connections, "locks", Protocol.number(asked, "ttl_ms"));
        if (words.contains("pub-sub")) registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
        if (words.contains("renewal") && Boolean.TRUE.equals(asked.get("renew"))) {
            scheduler = new ThreadPoolTaskScheduler();
            scheduler.afterPropertiesSet();
            registry.setRenewalTaskScheduler(scheduler);
        }
        key = (String) asked.get("key");
        lock = registry.obtain(key);
    }

    public Map<String, Object> acquire(long waitMs) throws Exception {
        boolean granted =
            waitMs > 0 ? lock.tryLock(waitMs, TimeUnit.MILLISECONDS) : lock.tryLock();
        return Map.of("granted", granted);
    }

    public boolean extend() {
        registry.renewLock(key);
        return true;
    }

    public Boolean release() {
        lock.unlock();
        return true;
    }

    // It is not, or no longer, this one's.
    public boolean refuses(Exception error) {
        return error instanceof ConcurrentModificationException
            || error.getClass() == IllegalStateException.class;
    }

    public void close() {
        if (registry == null) return;
        registry.destroy();
        if (scheduler != null) scheduler.destroy();
        connections.destroy();
        registry = null;
        scheduler = null;
    }

    public static void main(String[] words) throws Exception {
        Protocol.serve(new Driver(List.of(words)));
    }
}
