// Servers of ZooKeeper, for ../MANIFEST.md#servers-that-are-not-redis: `Servers 3 FOLDER` starts
// three and does what it is told on stdin; `Servers node CONFIGURATION` is one of them.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

public class Servers {
    /** A session ends with a tick: a TTL of 1 s has ten. Two of the limits are in ticks. */
    private static final String SHARED = """
        tickTime=100
        initLimit=100
        syncLimit=20
        minSessionTimeout=200
        maxSessionTimeout=600000
        maxClientCnxns=0
        4lw.commands.whitelist=srvr
        admin.enableServer=false
        """;
    private static final Pattern ORDER =
        Pattern.compile("\\{\"op\":\\s*\"(\\w+)\"(?:,\\s*\"node\":\\s*([0-9]+))?\\}");

    private static class Node {
        final Path configuration;
        final int port;
        Process process;
        volatile boolean killed; // it was told to

        Node(Path configuration, int port) {
            this.configuration = configuration;
            this.port = port;
        }

        /** Returns at once. One that ends without having been told to ends the program. */
        void start() throws IOException {
            killed = false;
            process = new ProcessBuilder("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-Xmx128m", "-Dzookeeper.forceSync=no", "-cp", System.getProperty("java.class.path"),
                "Servers", "node", configuration.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
            process.onExit().thenAccept(its -> {
                if (killed) return;
                System.err.println("the server at port " + port + " has ended by itself, with code "
                    + its.exitValue());
                Runtime.getRuntime().halt(1);
            });
        }

        void kill() throws InterruptedException {
            killed = true;
            process.destroyForcibly().waitFor();
        }

        void signal(String name) throws IOException, InterruptedException {
            String command = "kill -" + name + " " + process.pid();
            int code = new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor();
            if (code != 0) throw new IOException(command + " failed");
        }

        /** "leader", "follower", or empty: it does not serve. */
        String mode() {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
                socket.setSoTimeout(500);
                socket.getOutputStream().write("srvr".getBytes(StandardCharsets.UTF_8));
                byte[] said = socket.getInputStream().readAllBytes();
                Matcher found = Pattern.compile("Mode: (\\w+)").matcher(
                    new String(said, StandardCharsets.UTF_8));
                return found.find() ? found.group(1) : "";
            } catch (IOException error) {
                return "";
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static List<Node> configured(int count, Path folder) throws IOException {
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < count; i++) {
            members.append(String.format("server.%d=127.0.0.1:%d:%d%n", i, freePort(), freePort()));
        }
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Path data = Files.createDirectories(folder.resolve("n" + i));
            int port = freePort();
            Files.writeString(data.resolve("myid"), String.valueOf(i));
            Path file = folder.resolve("n" + i + ".cfg");
            Files.writeString(file, SHARED + members + "clientPort=" + port
                + "\nclientPortAddress=127.0.0.1\ndataDir=" + data + "\n");
            nodes.add(new Node(file, port));
        }
        return nodes;
    }

    private static void await(List<Node> nodes) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        for (Node node : nodes) {
            while (node.mode().isEmpty()) {
                if (System.nanoTime() > end) throw new IOException("not all of them answer");
                Thread.sleep(20);
            }
        }
    }

    private static int leader(List<Node> nodes) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (System.nanoTime() < end) {
            for (int i = 0; i < nodes.size(); i++) {
                if (nodes.get(i).mode().equals("leader")) return i;
            }
        }
        throw new IOException("no server leads");
    }

    /** What the answer has beside "done". */
    private static String obey(List<Node> nodes, String op, int node) throws Exception {
        switch (op) {
            case "stop":
                nodes.get(node).signal("STOP");
                return "";
            case "go_on":
                nodes.get(node).signal("CONT");
                return "";
            case "kill_leader":
                int leader = leader(nodes);
                nodes.get(leader).kill();
                return ", \"node\": " + leader;
            case "start":
                nodes.get(node).start();
                return "";
            case "await":
                await(nodes);
                return "";
            default:
                throw new IOException("nothing is called " + op);
        }
    }

    private static String answer(List<Node> nodes, String line) {
        Matcher order = ORDER.matcher(line);
        try {
            if (!order.matches()) throw new IOException("this is no order");
            String op = order.group(1);
            int node = order.group(2) == null ? 0 : Integer.parseInt(order.group(2));
            return "{\"done\": \"" + op + "\"" + obey(nodes, op, node) + "}";
        } catch (Exception error) {
            return "{\"error\": \"" + error.toString().replaceAll("[^ -!#-\\[\\]-~]", "?") + "\"}";
        }
    }

    private static void serve(int count, Path folder) throws Exception {
        List<Node> nodes = configured(count, folder);
        for (Node node : nodes) node.start();
        await(nodes);
        List<String> addresses = new ArrayList<>();
        for (Node node : nodes) addresses.add("\"127.0.0.1:" + node.port + "\"");
        System.out.println("{\"nodes\": [" + String.join(", ", addresses) + "]}");
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(nodes, line));
        }
        for (Node node : nodes) node.kill();
    }

    /** It ends with the program that started it: then its stdin ends. */
    private static void beNode(String configuration) {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) continue;
            } catch (IOException error) {
                error.printStackTrace();
            }
            Runtime.getRuntime().halt(0);
        });
        watch.setDaemon(true);
        watch.start();
        QuorumPeerMain.main(new String[] {configuration});
    }

    public static void main(String[] words) throws Exception {
        if (words[0].equals("node")) beNode(words[1]);
        else serve(Integer.parseInt(words[0]), Path.of(words[1]));
        Runtime.getRuntime().halt(0);
    }
}
