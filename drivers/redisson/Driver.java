// Drives RLock of Redisson: ../PROTOCOL.md. Where it is to renew, its watchdog does, with the time
// to live as lockWatchdogTimeout; else the time to live is the lock's leaseTime.
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.yaml.snakeyaml.Yaml;

public class Driver {
    private static final long BEGIN = System.nanoTime();
    private RedissonClient client;
    private RLock lock;
    private long leaseMs;

    private static long us() {
        return (System.nanoTime() - BEGIN) / 1000;
    }

    private static String version() {
        String jar = Redisson.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*redisson-(.*)\\.jar", "$1");
    }

    private void disconnect() {
        if (client != null) client.shutdown(0, 100, TimeUnit.MILLISECONDS);
        client = null;
    }

    private void open(Map<String, Object> asked) {
        disconnect();
        long ttl = number(asked, "ttl_ms");
        boolean renews = Boolean.TRUE.equals(asked.get("renew"));
        Config config = new Config();
        if (renews && ttl > 0) config.setLockWatchdogTimeout(ttl);
        config.useSingleServer().setAddress("redis://" + ((List<?>) asked.get("nodes")).get(0));
        client = Redisson.create(config);
        lock = client.getLock((String) asked.get("key"));
        leaseMs = renews || ttl == 0 ? -1 : ttl;
    }

    private static long number(Map<String, Object> asked, String key) {
        return ((Number) asked.get(key)).longValue();
    }

    private String release() {
        try {
            lock.unlock();
            return "\"released\":true";
        } catch (IllegalMonitorStateException notOurs) {
            return "\"released\":false";
        }
    }

    private String answer(Map<String, Object> asked) throws Exception {
        switch ((String) asked.get("op")) {
            case "hello":
                return "\"library\":\"redisson\",\"version\":\"" + version()
                    + "\",\"nodes\":\"one\",\"waits\":true,\"renews\":true,\"extends\":false,"
                    + "\"tells\":false,\"fences\":false";
            case "open":
                open(asked);
                return "";
            case "acquire":
                long wait = number(asked, "wait_ms");
                return "\"granted\":" + lock.tryLock(wait, leaseMs, TimeUnit.MILLISECONDS);
            case "step":
                return "\"ok\":true,\"lost\":false";
            case "extend":
                return "\"error\":\"RLock cannot be extended\",\"definite\":true";
            case "release":
                return release();
            default:
                disconnect();
                return "";
        }
    }

    // Redisson sends again what was not answered, and does not say so: no error is definite.
    private String tried(Map<String, Object> asked) {
        try {
            return answer(asked);
        } catch (Exception error) {
            String text = error.toString().replaceAll("[^ -~]", " ").replaceAll("[\"\\\\]", "'");
            return "\"error\":\"" + text + "\",\"definite\":false";
        }
    }

    public static void main(String[] words) throws Exception {
        // What libraries log is no answer.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        System.setOut(System.err);
        Driver driver = new Driver();
        Yaml json = new Yaml();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String op = "";
        for (String line = in.readLine(); line != null && !op.equals("exit"); line = in.readLine()) {
            Map<String, Object> asked = json.load(line);
            op = (String) asked.get("op");
            long called = us();
            String said = driver.tried(asked);
            out.println("{\"id\":" + asked.get("id") + ",\"called_us\":" + called
                + ",\"answered_us\":" + us() + (said.isEmpty() ? "" : ",") + said + "}");
        }
        // Its threads would go on, and its shutdown waits.
        Runtime.getRuntime().halt(0);
    }
}
