// ShedLock 7.10.1, RedisLockProvider as its constructor makes it: unlock() deletes the key, also
// another's. A task that took longer than its lockAtMostFor, here 0.5 s, frees the lock of the next
// node, and a third one begins while that is at work. Builder.safeUpdate(true) compares the owner;
// it is off unless it is asked for.
// Tracker: https://github.com/lukas-krecan/ShedLock/issues/2583, closed with that option.
// Run in the installed folder: java -cp "lib/*" defects/UnlocksAnothersLock.java
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

public class UnlocksAnothersLock {
    static Optional<SimpleLock> node() {
        LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", 7871);
        factory.afterPropertiesSet();
        factory.start();
        return new RedisLockProvider(factory).lock(new LockConfiguration(
            Instant.now(), "task", Duration.ofMillis(500), Duration.ZERO));
    }

    public static void main(String[] words) throws Exception {
        Process server = new ProcessBuilder("redis-server", "--port", "7871", "--save", "").start();
        Thread.sleep(500);
        node().orElseThrow();
        Thread.sleep(600);
        SimpleLock slow = node().orElseThrow();
        Thread.sleep(600);
        boolean second = node().isPresent();
        slow.unlock();
        boolean third = node().isPresent();
        System.out.println("a second node has the lock: " + second + ", and a third: " + third);
        System.out.println(second && third ? "DEFECT" : "as it should be");
        server.destroyForcibly();
        Runtime.getRuntime().halt(second && third ? 1 : 0);
    }
}
