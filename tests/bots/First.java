import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;

/**
 * The simplest bot there is, in Java, for tests: it plays the first legal action. With the argument
 * {@code hog} it takes memory at its first question until there is none.
 */
public class First {
    public static void main(String[] args) throws Exception {
        boolean hog = args.length > 0 && args[0].equals("hog");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("{\"type\":\"hello\"")) {
                say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"first\",\"games\":[]}");
            } else if (line.startsWith("{\"type\":\"start\"")) {
                say("{\"type\":\"ready\"}");
            } else if (line.startsWith("{\"type\":\"turn\"")) {
                if (hog) {
                    takeMemory();
                }
                say("{\"type\":\"move\",\"turn\":" + number(line) + ",\"action\":" + firstLegal(line) + "}");
            } else if (line.startsWith("{\"type\":\"quit\"")) {
                return;
            }
        }
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    static String number(String line) {
        int from = line.indexOf("\"turn\":") + 7;
        return line.substring(from, line.indexOf(',', from));
    }

    /** The first element of the list of legal actions: up to the comma or bracket that ends it. */
    static String firstLegal(String line) {
        int from = line.indexOf("\"legal\":[") + 9;
        int depth = 0;
        for (int at = from; ; at++) {
            char c = line.charAt(at);
            if (depth == 0 && (c == ',' || c == ']')) {
                return line.substring(from, at);
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        }
    }

    static void takeMemory() {
        ArrayList<byte[]> held = new ArrayList<>();
        while (true) {
            held.add(new byte[1 << 20]);
        }
    }
}
