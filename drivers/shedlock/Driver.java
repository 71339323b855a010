// Drives ShedLock's RedisLockProvider with Spring Data Redis on Lettuce, as its documentation has
// it: ../PROTOCOL.md. The TTL is lockAtMostFor.
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

public class Driver implements Protocol.Lock {
    private LettuceConnectionFactory connections;
    private LockProvider provider;
    private SimpleLock lock;
    private String key;
    private Duration ttl;

    public Map<String, Object> traits() {
        return Map.of("library", "shedlock", "version", Protocol.version(LockProvider.class),
            "extends", true);
    }

    public void open(Map<String, Object> asked) {
        String[] at = ((String) ((List<?>) asked.get("nodes")).get(0)).split(":");
        connections = new LettuceConnectionFactory(at[0], Integer.parseInt(at[1]));
        connections.afterPropertiesSet();
        connections.start();
        provider = new RedisLockProvider(connections);
        key = (String) asked.get("key");
        ttl = Duration.ofMillis(Protocol.number(asked, "ttl_ms"));
    }

    private boolean keep(Optional<SimpleLock> given) {
        given.ifPresent(each -> lock = each);
        return given.isPresent();
    }

    public Map<String, Object> acquire(long waitMs) {
        LockConfiguration wanted = new LockConfiguration(Instant.now(), key, ttl, Duration.ZERO);
        return Map.of("granted", keep(provider.lock(wanted)));
    }

    public boolean extend() {
        return keep(lock.extend(ttl, Duration.ZERO));
    }

    public Boolean release() {
        lock.unlock();
        return null;
    }

    public void close() {
        if (connections != null) connections.destroy();
        connections = null;
    }

    public static void main(String[] words) throws Exception {
        Protocol.serve(new Driver());
    }
}
