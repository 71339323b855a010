// The loop of PROTOCOL.md for drivers in Java: Protocol.serve(lock).
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

public class Protocol {
    /** What each library's driver is. */
    public interface Lock {
        /** What `hello` says; what is left out is one server, and false. */
        Map<String, Object> traits();

        void open(Map<String, Object> asked) throws Exception;

        /**
         * `granted`; where it is true perhaps `token`, `fence`. Its caller cancels it by an
         * interrupt.
         */
        Map<String, Object> acquire(long waitMs) throws Exception;

        default boolean extend() throws Exception {
            throw new UnsupportedOperationException("it cannot be told to extend");
        }

        /** Null where the library tells nothing. */
        Boolean release() throws Exception;

        /** Left of the grant by the library's word, below 0 if over; null: it does not tell. */
        default Long validMs() {
            return null;
        }

        /** Whether what was thrown is a refusal, which is no error. */
        default boolean refuses(Exception error) {
            return false;
        }

        void close();
    }

    private static final Map<String, String> RESULTS =
        Map.of("acquire", "granted", "extend", "extended", "release", "released");
    private static final long BEGIN = System.nanoTime();
    private static PrintStream out;
    private static volatile boolean lost;
    private static final AtomicLong TRIES = new AtomicLong(); // so many began
    private static long trying; // the number of the try under way; 0: none
    private static boolean cancelled;

    private static long us() {
        return (System.nanoTime() - BEGIN) / 1000;
    }

    public static long number(Map<String, Object> asked, String key) {
        return ((Number) asked.get(key)).longValue();
    }

    /** The release in the name of the archive that has the class: "redisson-4.7.0.jar". */
    public static String version(Class<?> of) {
        String jar = of.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*/[a-z-]+-([0-9].*)\\.jar", "$1");
    }

    /** For a library that tells of a loss: what it returns tells so of the present try alone. */
    public static Consumer<String> teller() {
        long mine = TRIES.get();
        return what -> {
            synchronized (Protocol.class) {
                if (TRIES.get() != mine || lost) return;
                lost = true;
            }
            Map<String, Object> said = new LinkedHashMap<>();
            said.put("ev", "lost");
            said.put("what", what);
            out.println(Json.text(said));
        };
    }

    private static synchronized void begins() {
        TRIES.incrementAndGet();
        lost = false;
    }

    private static synchronized void begin(long id) {
        trying = id;
        cancelled = false;
    }

    private static synchronized void end() {
        trying = 0;
        Thread.interrupted();
    }

    private static synchronized void cancel(long id, Thread caller) {
        if (trying != id) return;
        cancelled = true;
        caller.interrupt();
    }

    private static Map<String, Object> attempt(Lock lock, Map<String, Object> asked)
        throws Exception {
        begin(number(asked, "id"));
        try {
            return lock.acquire(number(asked, "wait_ms"));
        } finally {
            end();
        }
    }

    /** Hands on what is asked; a cancel does not wait for its turn. Empty: no more will come. */
    private static void listen(BlockingQueue<Optional<Map<String, Object>>> to, Thread caller) {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Map<String, Object> asked = new Json(line).object();
                if (asked.get("op").equals("cancel")) cancel(number(asked, "id"), caller);
                else to.add(Optional.of(asked));
            }
        } catch (IOException error) {
            error.printStackTrace();
        }
        to.add(Optional.empty());
    }

    private static Map<String, Object> call(Lock lock, Map<String, Object> asked) throws Exception {
        Map<String, Object> said = new LinkedHashMap<>();
        cancelled = false;
        switch ((String) asked.get("op")) {
            case "hello":
                said.put("nodes", "one");
                for (String each : List.of("waits", "renews", "extends", "tells", "fences")) {
                    said.put(each, false);
                }
                said.putAll(lock.traits());
                break;
            case "open":
                lock.close();
                lock.open(asked);
                break;
            case "acquire":
                begins();
                said.putAll(attempt(lock, asked));
                if (said.get("granted") == Boolean.TRUE) said.put("valid_ms", lock.validMs());
                break;
            case "step":
                said.put("ok", true);
                said.put("lost", lost);
                said.put("valid_ms", lock.validMs());
                break;
            case "extend":
                said.put("extended", lock.extend());
                said.put("valid_ms", lock.validMs());
                break;
            case "release":
                said.put("released", lock.release());
                break;
            default:
                lock.close();
        }
        return said;
    }

    // The libraries' clients send again what was not answered, and do not say so: no error is
    // definite.
    private static Map<String, Object> answer(Lock lock, Map<String, Object> asked) {
        try {
            return call(lock, asked);
        } catch (Exception error) {
            Map<String, Object> said = new LinkedHashMap<>();
            String result = RESULTS.get((String) asked.get("op"));
            if (result != null && !cancelled && lock.refuses(error)) {
                said.put(result, false);
            } else {
                said.put("error", error.toString());
                said.put("definite", false);
            }
            return said;
        }
    }

    public static void serve(Lock lock) throws Exception {
        // What libraries log is no answer.
        out =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BlockingQueue<Optional<Map<String, Object>>> asks = new LinkedBlockingQueue<>();
        Thread caller = Thread.currentThread();
        Thread listener = new Thread(() -> listen(asks, caller));
        listener.setDaemon(true);
        listener.start();
        String op = "";
        while (!op.equals("exit")) {
            Optional<Map<String, Object>> next = asks.take();
            if (next.isEmpty()) break;
            Map<String, Object> asked = next.get();
            op = (String) asked.get("op");
            long called = us();
            Map<String, Object> said = answer(lock, asked);
            said.put("id", asked.get("id"));
            said.put("called_us", called);
            said.put("answered_us", us());
            out.println(Json.text(said));
        }
        // Its threads would go on, and its shutdown waits.
        Runtime.getRuntime().halt(0);
    }

    /** As much of JSON as the protocol has. */
    private static class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private boolean took(char wanted) {
            if (next() != wanted) return false;
            at++;
            return true;
        }

        Map<String, Object> object() {
            Map<String, Object> map = new LinkedHashMap<>();
            took('{');
            while (!took('}')) {
                String key = string();
                took(':');
                map.put(key, value());
                took(',');
            }
            return map;
        }

        private List<Object> list() {
            List<Object> list = new ArrayList<>();
            took('[');
            while (!took(']')) {
                list.add(value());
                took(',');
            }
            return list;
        }

        private Object value() {
            char first = next();
            if (first == '{') return object();
            if (first == '[') return list();
            if (first == '"') return string();
            int from = at;
            while (",]} ".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(from, at);
            if (word.equals("null")) return null;
            if (word.equals("true") || word.equals("false")) return word.equals("true");
            return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        }

        private String string() {
            StringBuilder said = new StringBuilder();
            took('"');
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                if (c == '\\') c = escaped(text.charAt(at++));
                said.append(c);
            }
            return said.toString();
        }

        private char escaped(char letter) {
            int plain = "nrtbf".indexOf(letter);
            if (plain >= 0) return "\n\r\t\b\f".charAt(plain);
            if (letter != 'u') return letter;
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }

        static String text(Object value) {
            if (value instanceof Map<?, ?> map) {
                List<String> parts = new ArrayList<>();
                map.forEach((key, each) -> parts.add(text(key) + ":" + text(each)));
                return "{" + String.join(",", parts) + "}";
            }
            if (!(value instanceof String)) return String.valueOf(value);
            StringBuilder said = new StringBuilder("\"");
            for (char c : ((String) value).toCharArray()) {
                if (c >= ' ' && c <= '~' && c != '"' && c != '\\') said.append(c);
                else said.append(String.format("\\u%04x", (int) c));
            }
            return said.append('"').toString();
        }
    }
}
