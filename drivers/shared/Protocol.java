// The loop of PROTOCOL.md for drivers in Java: Protocol.serve(lock).
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class Protocol {
    /** What each library's driver is. */
    public interface Lock {
        /** What `hello` says; what is left out is one server, and false. */
        Map<String, Object> traits();

        void open(Map<String, Object> asked) throws Exception;

        /** `granted`; where it is true perhaps `token`, `fence`. */
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
    private static volatile boolean lost;

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

    private static Map<String, Object> call(Lock lock, Map<String, Object> asked) throws Exception {
        Map<String, Object> said = new LinkedHashMap<>();
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
                lost = false;
                said.putAll(lock.acquire(number(asked, "wait_ms")));
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
            if (result != null && lock.refuses(error)) {
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
        PrintStream out =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String op = "";
        String line = in.readLine();
        for (; line != null && !op.equals("exit"); line = in.readLine()) {
            Map<String, Object> asked = new Json(line).object();
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
