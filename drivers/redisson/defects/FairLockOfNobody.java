// Redisson 4.7.0, getFairLock: where a client dies while it waits, nobody gets the free lock for as
// long as fairLockWaitTimeout, 5 minutes by default (5 s by its wiki): the dead one stands first in
// the queue. Here it is seen for 30 s, which is the lock's TTL.
// Tracker: https://github.com/redisson/redisson/issues/4595, open.
// Run in the installed folder: java -cp "lib/*" defects/FairLockOfNobody.java
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.config.Config;

public class FairLockOfNobody {
    static RLock lock() {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:7861");
        return Redisson.create(config).getFairLock("the lock");
    }

    public static void main(String[] words) throws Exception {
        if (words.length > 0) lock().lock(); // the client that waits, and dies
        Process server = new ProcessBuilder("redis-server", "--port", "7861", "--save", "").start();
        Thread.sleep(500);
        RLock first = lock();
        first.lock();
        String[] child = {"java", "-cp", "lib/*", "defects/FairLockOfNobody.java", "waits"};
        Process waiter = new ProcessBuilder(child).start();
        Thread.sleep(8000);
        waiter.destroyForcibly().waitFor();
        first.unlock();
        RLock third = lock();
        boolean granted = false;
        long begin = System.currentTimeMillis();
        while (!granted && System.currentTimeMillis() - begin < 30000) {
            granted = third.tryLock();
            Thread.sleep(500);
        }
        System.out.println("held: " + first.isLocked() + "; a third client has it: " + granted);
        System.out.println(granted ? "as it should be" : "DEFECT");
        server.destroyForcibly();
        Runtime.getRuntime().halt(granted ? 0 : 1);
    }
}
