// Drives @NAME@: ../PROTOCOL.md. Put your lock's calls in place of these, which are SET NX PX.
import java.util.List;
import java.util.Map;
import java.util.UUID;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.params.SetParams;

public class Driver implements Protocol.Lock {
    private static final String DELETE =
        "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0";
    private JedisPooled client;
    private String key;
    private String token;
    private long ttl;

    public Map<String, Object> traits() {
        return Map.of("library", "@NAME@", "version", "1");
    }

    public void open(Map<String, Object> asked) {
        String[] at = ((String) ((List<?>) asked.get("nodes")).get(0)).split(":");
        client = new JedisPooled(at[0], Integer.parseInt(at[1]));
        key = (String) asked.get("key");
        ttl = Protocol.number(asked, "ttl_ms");
    }

    public Map<String, Object> acquire(long waitMs) {
        token = UUID.randomUUID().toString();
        String answer = client.set(key, token, SetParams.setParams().nx().px(ttl));
        return Map.of("granted", "OK".equals(answer));
    }

    public Boolean release() {
        return client.eval(DELETE, List.of(key), List.of(token)).equals(1L);
    }

    public void close() {
        if (client != null) client.close();
        client = null;
    }

    public static void main(String[] words) throws Exception {
        Protocol.serve(new Driver());
    }
}
