// Drives InterProcessMutex of Curator, on ZooKeeper: ../PROTOCOL.md. The TTL is the session's
// time-out. Its other times are to the TTL what they are by default to 60 s; the policy of tries is
// the one of its documentation.
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.data.Stat;

public class Driver implements Protocol.Lock {
    private static final int USUAL_TTL_MS = 60000;
    private static final int USUAL_CONNECTION_MS = 15000;
    private static final int USUAL_RETRY_MS = 1000;
    private static final int TRIES = 3;

    private static class Mutex extends InterProcessMutex {
        Mutex(CuratorFramework client, String path) {
            super(client, path);
        }

        String node() {
            return getLockPath();
        }
    }

    private CuratorFramework client;
    private String path;
    private Mutex mutex;
    private volatile Consumer<String> tells = what -> { };

    public Map<String, Object> traits() {
        return Map.of("library", "curator", "version", Protocol.version(InterProcessMutex.class),
            "waits", true, "renews", true, "tells", true, "fences", true);
    }

    public void open(Map<String, Object> asked) throws Exception {
        int ttl = (int) Protocol.number(asked, "ttl_ms");
        String nodes = ((List<?>) asked.get("nodes")).stream()
            .map(Object::toString).collect(Collectors.joining(","));
        path = "/" + asked.get("key");
        client = CuratorFrameworkFactory.builder()
            .connectString(nodes)
            .sessionTimeoutMs(ttl)
            .connectionTimeoutMs(scaled(USUAL_CONNECTION_MS, ttl))
            .retryPolicy(new ExponentialBackoffRetry(scaled(USUAL_RETRY_MS, ttl), TRIES))
            .build();
        client.getConnectionStateListenable().addListener((its, state) -> {
            if (state == ConnectionState.LOST) tells.accept("the session is lost");
        });
        client.start();
        client.blockUntilConnected(10, TimeUnit.SECONDS);
    }

    private static int scaled(int usual, int ttl) {
        return (int) ((long) usual * ttl / USUAL_TTL_MS);
    }

    /** A grant reads the lock's node, whose czxid is its fencing token. */
    public Map<String, Object> acquire(long waitMs) throws Exception {
        tells = Protocol.teller();
        mutex = new Mutex(client, path);
        if (!mutex.acquire(waitMs, TimeUnit.MILLISECONDS)) return Map.of("granted", false);
        try {
            Stat stat = client.checkExists().forPath(mutex.node());
            if (stat == null) throw new IllegalStateException("the lock's node is gone");
            return Map.of("granted", true, "token", mutex.node(), "fence", stat.getCzxid());
        } catch (Exception error) {
            mutex.release();
            throw error;
        }
    }

    public Boolean release() throws Exception {
        mutex.release();
        return null; // it does not tell whether the node was still there
    }

    public void close() {
        if (client != null) client.close();
        client = null;
    }

    public static void main(String[] words) throws Exception {
        Protocol.serve(new Driver());
    }
}
