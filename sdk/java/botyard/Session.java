package botyard;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A bot's conversation with the referee, one line at a time: {@link Bot#main} without input and output. */
public class Session {
    /** A line that is not a message of the referee, or one that the bot cannot answer. */
    public static final class RefereeLineException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        RefereeLineException(String message) {
            super(message);
        }
    }

    private final Supplier<? extends Bot<?, ?>> make;
    private final Consumer<String> write;
    private final PrintStream errors;
    private Bot<?, ?> bot;
    private boolean fresh = true;
    private boolean withCpu;
    private long lineBytes = 65536;
    private Game game;
    /** The number of the last decision, and when it was asked for first. */
    private String asked = "";
    private Clock.Reading askedAt;
    private String doing = "";

    /** Begins a conversation. {@code write} gets each line of the bot, without its newline. */
    public Session(Supplier<? extends Bot<?, ?>> make, Consumer<String> write, PrintStream errors) {
        this.make = make;
        this.write = write;
        this.errors = errors;
        this.bot = make.get();
    }

    /** Handles a line that was read just now. */
    public boolean handle(String line) throws Exception {
        return handle(line, Clock.Reading.now(withCpu));
    }

    /**
     * Handles a line of the referee that was read at {@code began}. Returns {@code false} after {@code quit}. Throws
     * what the bot throws, {@link OptionException}, and {@link RefereeLineException} for a line that the bot cannot
     * answer.
     */
    public boolean handle(String line, Clock.Reading began) throws Exception {
        doing = "a line of the referee";
        Map<String, Object> message = message(line);
        String type = Json.text(message, "type", "");
        switch (type) {
            case "turn" -> turn(bot, message, began);
            case "hello" -> {
                int limit = Json.integer(Json.field(message, "limits"), "line_bytes", 0);
                lineBytes = limit > 0 ? limit : lineBytes;
                send(bot.hello());
            }
            case "start" -> start(message);
            case "end" -> {
                Outcome outcome = new Outcome(message, game);
                game = null;
                try {
                    bot.end(outcome);
                } catch (Exception error) {
                    report("end() failed", error);
                }
            }
            case "error" -> say(errorText(message));
            default -> {} // Messages of later versions are ignored.
        }
        return !type.equals("quit");
    }

    /** Returns what the bot was asked to do last: for messages about exceptions. */
    final String doing() {
        return bot.shownName() + ": " + doing;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> message(String line) {
        Object found = null;
        try {
            found = Json.parse(line);
        } catch (Json.ParseException error) {
            // Reported below.
        }
        if (found instanceof Map<?, ?>) {
            return (Map<String, Object>) found;
        }
        String shown = line.substring(0, Math.min(line.length(), 200));
        throw new RefereeLineException("expected a message of the referee, a JSON object, got " + shown);
    }

    private void start(Map<String, Object> message) throws Exception {
        game = null;
        asked = "";
        if (!fresh) {
            bot = make.get();
        }
        fresh = false;
        Game started = new Game(message);
        if (!bot.games.isEmpty() && !bot.games.contains(started.name)) {
            throw new RefereeLineException(
                    "asked to play '" + started.name + "', but this bot plays " + String.join(", ", bot.games));
        }
        Option.setAll(bot.options, started.options);
        game = started;
        doing = "start()";
        withCpu = Json.text(game.time, "kind", "wall").equals("cpu");
        Clock.Reading.now(withCpu); // Loads its classes before the clock runs.
        try {
            bot.start(game);
        } catch (Throwable error) {
            if (!bot.answerOnError) {
                throw error;
            }
            report("start() failed; playing on", error);
        }
        send(Json.object("type", "ready"));
    }

    private <V, A> void turn(Bot<V, A> bot, Map<String, Object> message, Clock.Reading began) throws Exception {
        String number = Json.write(message.get("turn"));
        if (game == null) {
            throw new RefereeLineException("turn " + number + ": asked to decide, but no game is in progress");
        }
        doing = "turn " + number + ": choose()";
        Map<String, Object> clock = Json.map(message, "clock");
        if (!withCpu && Json.text(clock, "kind", "wall").equals("cpu")) {
            withCpu = true; // Not announced by `start`.
            Clock.Reading now = Clock.Reading.now(true);
            began = new Clock.Reading(began.wall(), now.cpu(), now.threads());
        }
        // Where a match gives another try, the same line comes again, and the clock has not stopped.
        began = number.equals(asked) ? askedAt : began;
        asked = number;
        askedAt = began;
        Turn<V, A> turn = new Turn<>(message, game, bot, new Clock(clock, began), this::log);
        Object action;
        try {
            action = Json.plain(choose(bot, turn));
            if (action == null) {
                throw new IllegalArgumentException("choose() returned null, expected an action");
            }
            if (bot.answerOnError && !isLegal(action, turn)) {
                throw new IllegalArgumentException(
                        "choose() returned " + Json.write(action) + ", which is not a legal action");
            }
        } catch (Throwable error) {
            if (!bot.answerOnError) {
                throw error;
            }
            report("turn " + number + ": choose() failed; playing a legal action", error);
            action = turn.choice(turn.legalJson());
        }
        Map<String, Object> move = Json.object("type", "move", "turn", turn.number, "action", action);
        if (!turn.info.isEmpty()) {
            move.put("info", safeInfo(turn.info, 0));
            if (Json.write(move).length() > lineBytes) {
                move.remove("info");
                say("turn " + number + ": info left out, because the line would be too long");
            }
        }
        send(move);
    }

    /** Returns the bot's choice. The replay debugger overrides this. */
    protected <V, A> A choose(Bot<V, A> bot, Turn<V, A> turn) throws Exception {
        return bot.choose(turn);
    }

    private static boolean isLegal(Object action, Turn<?, ?> turn) {
        List<Object> legal;
        try {
            legal = turn.legalJson();
        } catch (RuntimeException error) {
            return true; // Unknown.
        }
        return legal.stream().anyMatch(one -> Json.same(one, action));
    }

    /** Returns info that the referee accepts, for any input: info must never cost a game. */
    private static Object safeInfo(Object value, int depth) {
        Object plain = value;
        if (depth == 0 || !(value instanceof Map || value instanceof List)) {
            try {
                plain = Json.plain(value);
            } catch (IllegalArgumentException | StackOverflowError error) {
                plain = value;
            }
        }
        if (depth > 30) {
            String text = String.valueOf(plain);
            return text.substring(0, Math.min(text.length(), 1000));
        }
        if (plain instanceof Map<?, ?> map) {
            Map<String, Object> found = Json.object();
            map.forEach((name, item) -> {
                if (!String.valueOf(name).startsWith("$")) {
                    found.put(String.valueOf(name), safeInfo(item, depth + 1));
                }
            });
            return found;
        }
        if (plain instanceof Iterable<?> items) {
            List<Object> found = new ArrayList<>();
            items.forEach(item -> found.add(safeInfo(item, depth + 1)));
            return found;
        }
        if (plain instanceof Double number && !Double.isFinite(number)) {
            return null;
        }
        if (plain instanceof Number number && !(plain instanceof Double)) {
            boolean fits = plain instanceof Long && Math.abs((Long) plain) <= Option.MAX_INT;
            return fits ? number : number.toString();
        }
        if (plain == null || plain instanceof Boolean || plain instanceof String || plain instanceof Double) {
            return plain;
        }
        String text = String.valueOf(plain);
        return text.substring(0, Math.min(text.length(), 1000));
    }

    private void log(String text) {
        Map<String, Object> line = Json.object("type", "log", "text", text);
        while (Json.write(line).length() > lineBytes) {
            text = text.substring(0, text.length() / 2);
            line.put("text", text);
        }
        send(line);
    }

    /** Any thread may log. */
    private synchronized void send(Map<String, Object> message) {
        write.accept(Json.write(message));
    }

    private void report(String what, Throwable error) {
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace, true));
        say(what + "\n" + trace.toString().stripTrailing());
    }

    private void say(String text) {
        errors.println(bot.shownName() + ": " + text);
        errors.flush();
    }

    private static String errorText(Map<String, Object> message) {
        String text = "error from the referee: ";
        if (message.get("turn") != null) {
            text += "turn " + message.get("turn") + ": ";
        }
        text += message.get("code") + ": " + message.get("message");
        Map<String, Object> detail = Json.map(message, "detail");
        if (detail.get("got") != null) {
            text += "\n  your line: " + detail.get("got");
        }
        if (!Json.list(detail, "legal_sample").isEmpty()) {
            text += "\n  legal would be, for example: " + Json.write(detail.get("legal_sample"));
        }
        return text;
    }
}
