import botyard.Bot;
import botyard.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Common code of the tests: checks, and a referee's side of a conversation. */
final class Kit {
    private Kit() {}

    static final Map<String, Object> HELLO =
            Json.object("type", "hello", "protocol", 1, "limits", Json.object("line_bytes", 65536), "unknown", List.of(1));
    static final Map<String, Object> QUIT = Json.object("type", "quit");

    private static int checks;
    private static int failures;

    static void check(boolean holds, String what) {
        checks++;
        if (!holds) {
            failures++;
            StackTraceElement[] trace = new Throwable().getStackTrace();
            int at = 0;
            while (trace[at].getClassName().equals("Kit")) {
                at++;
            }
            System.err.println(trace[at] + ": failed: " + what);
        }
    }

    /** Compares two values as JSON. */
    static void equal(Object found, Object expected) {
        equal(found, expected, "");
    }

    static void equal(Object found, Object expected, String where) {
        boolean same = Json.same(found, expected);
        check(same, same ? "" : where + " expected " + Json.write(expected) + ", got " + Json.write(found));
    }

    static void near(double found, double expected, double delta) {
        check(found == expected || Math.abs(found - expected) <= delta, "expected " + expected + ", got " + found);
    }

    static void has(String text, String part) {
        check(text.contains(part), "expected \"" + part + "\" in: " + text);
    }

    /** Returns the text of the exception that is thrown; nothing without one. */
    static String thrown(Callable<?> action) {
        try {
            action.call();
            return "";
        } catch (Exception error) {
            return error.toString();
        }
    }

    static void finish(String name) {
        System.out.println(name + ": " + checks + " checks, " + failures + " failed");
        System.exit(failures == 0 ? 0 : 1);
    }

    static Map<String, Object> with(Map<String, Object> message, Object... fields) {
        message.putAll(Json.object(fields));
        return message;
    }

    static Map<String, Object> start(String game, Object... fields) {
        return with(
                Json.object("type", "start", "game_id", "7-1", "game", game, "seats", List.of("a", "b"), "you", List.of("a")),
                fields);
    }

    static Map<String, Object> start() {
        return start("any");
    }

    static Map<String, Object> turn(int number, List<?> legal, Object... fields) {
        Map<String, Object> clock =
                Json.object("kind", "wall", "move_ms", 1000, "bank_ms", null, "increment_ms", 0);
        Map<String, Object> message =
                Json.object("type", "turn", "turn", number, "seat", "a", "view", Json.object(), "clock", clock);
        if (legal != null) {
            message.put("legal", legal);
        }
        return with(message, fields);
    }

    static Map<String, Object> end() {
        Map<String, Object> outcome = Json.object(
                "kind", "completed", "scores", List.of(1.0, 0.0), "ranks", List.of(1, 2), "reason", "won");
        return Json.object("type", "end", "outcome", outcome, "faults", List.of(), "reveal", Json.object());
    }

    static String lines(List<? extends Map<String, Object>> messages) {
        StringBuilder text = new StringBuilder();
        messages.forEach(message -> text.append(Json.write(message)).append('\n'));
        return text.toString();
    }

    static List<Object> parsed(String text) {
        List<Object> found = new ArrayList<>();
        text.lines().forEach(line -> found.add(Json.parse(line)));
        return found;
    }

    /** Returns what a bot says to these messages, in memory. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    static List<Object> conversation(Supplier<? extends Bot<?, ?>> bot, Map<String, Object>... messages)
            throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Bot.serve(bot, new ByteArrayInputStream(lines(Arrays.asList(messages)).getBytes(StandardCharsets.UTF_8)), output);
        return parsed(output.toString(StandardCharsets.UTF_8));
    }

    static Object action(Object move) {
        return Json.field(move, "action");
    }

    static Object last(List<Object> said) {
        return said.get(said.size() - 1);
    }

    /** Returns what is written to standard error meanwhile. */
    static String errors(Callable<?> action) throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true));
        try {
            action.call();
        } finally {
            System.setErr(before);
        }
        return written.toString(StandardCharsets.UTF_8);
    }

    /** The result of a program. */
    record Done(int code, String out, String err) {}

    /** Runs a command of the shell with this input. */
    static Done process(String command, String input) throws Exception {
        Path place = Files.createTempDirectory("botyard-kit");
        Path in = Files.writeString(place.resolve("in"), input);
        Path out = place.resolve("out");
        Path err = place.resolve("err");
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        Done done = new Done(process.waitFor(), Files.readString(out), Files.readString(err));
        for (Path path : List.of(in, out, err, place)) {
            Files.delete(path);
        }
        return done;
    }
}
