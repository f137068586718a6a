package botyard;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;

/**
 * Runs a bot on a recorded game: {@code java Mine --replay FILE --seat SEAT [--turn N]}.
 *
 * <p>The bot is sent what it was sent in the game, and each of its choices is printed beside the recorded one. Standard
 * input and output are the terminal's, so printing and any debugger work.
 */
final class Replay {
    private Replay() {}

    /** A command line that cannot be run. */
    private static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message);
        }
    }

    private static final Set<String> NAMES = Set.of("--replay", "--seat", "--turn", "--option", "--botyard");

    private static final class Replaying extends Session {
        final Integer only;
        final Counted counted;

        Replaying(Supplier<? extends Bot<?, ?>> make, Integer only, Counted counted) {
            super(make, counted::answer, System.err);
            this.only = only;
            this.counted = counted;
        }

        @Override
        public boolean handle(String line, Clock.Reading began) throws Exception {
            Map<String, Object> message = message(line);
            boolean other = only != null && Json.integer(message, "turn", 0) != only;
            return "turn".equals(message.get("type")) && other || super.handle(line, began);
        }

        @Override
        protected <V, A> A choose(Bot<V, A> bot, Turn<V, A> turn) throws Exception {
            long began = System.nanoTime();
            A action = bot.choose(turn);
            counted.seconds = (System.nanoTime() - began) * 1e-9;
            return action;
        }
    }

    /** Prints what the bot answers. */
    private static final class Counted {
        final Map<Integer, Object> recorded;
        double seconds;
        int asked;
        int different;

        Counted(Map<Integer, Object> recorded) {
            this.recorded = recorded;
        }

        void answer(String line) {
            Map<String, Object> message = Session.message(line);
            if ("log".equals(message.get("type"))) {
                System.out.println("  log: " + message.get("text"));
            }
            if (!"move".equals(message.get("type"))) {
                return;
            }
            asked++;
            int number = Json.integer(message, "turn", 0);
            String text = "turn " + number + ": " + Json.write(message.get("action"));
            if (recorded.containsKey(number)) {
                boolean same = Json.same(recorded.get(number), message.get("action"));
                different += same ? 0 : 1;
                text += same ? "  as recorded" : "  recorded: " + Json.write(recorded.get(number));
            }
            System.out.println(text + String.format(Locale.ROOT, "  (%.3f s)", seconds));
            if (message.get("info") != null) {
                System.out.println("  info: " + Json.write(message.get("info")));
            }
        }
    }

    /** Returns the lines of a file, plain or compressed by gzip. */
    private static List<String> readLines(String path) throws IOException {
        byte[] data;
        try {
            data = Files.readAllBytes(Path.of(path));
        } catch (IOException error) {
            throw new UsageException("cannot read " + path + ": " + error.getMessage());
        }
        InputStream stream = new ByteArrayInputStream(data);
        if (data.length > 1 && data[0] == 0x1f && (data[1] & 0xff) == 0x8b) {
            stream = new GZIPInputStream(stream);
        }
        return lines(stream);
    }

    private static List<String> lines(InputStream stream) throws IOException {
        Lines input = new Lines(stream);
        List<String> found = new ArrayList<>();
        for (String line = input.next(); line != null; line = input.next()) {
            if (!line.isBlank()) {
                found.add(line);
            }
        }
        return found;
    }

    /** Returns the lines that the bot in a seat was sent: those of {@code botyard replay stdin}. */
    private static List<String> sentLines(String file, String seat, String program)
            throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(program, "replay", "stdin", file, "--seat", seat)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException error) {
            throw new UsageException("cannot start the program " + program + ", which reads replays: name it by "
                    + "--botyard PATH or the environment variable BOTYARD, or give --replay the output of "
                    + "`botyard replay stdin FILE --seat SEAT`");
        }
        process.getOutputStream().close();
        List<String> found = lines(process.getInputStream());
        if (process.waitFor() != 0) {
            throw new UsageException(program + " failed");
        }
        return found;
    }

    /** Runs the command line. Returns the exit code. */
    static int run(Supplier<? extends Bot<?, ?>> make, String[] words) {
        Replaying session = null;
        try {
            Map<String, String> given = new HashMap<>();
            Map<String, Object> options = Json.object();
            readArguments(words, given, options);
            Integer only = given.containsKey("--turn") ? number(given.get("--turn")) : null;
            String file = given.get("--replay");
            List<String> lines = readLines(file);
            Map<Integer, Object> recorded = new HashMap<>();
            boolean isReplay = !lines.isEmpty() && "header".equals(Session.message(lines.get(0)).get("type"));
            if (isReplay) {
                for (String line : lines) {
                    Map<String, Object> message = Session.message(line);
                    if ("move".equals(message.get("type"))) {
                        recorded.put(Json.integer(message, "turn", 0), message.get("action"));
                    }
                }
                String named = System.getenv("BOTYARD");
                String program = given.getOrDefault("--botyard", named == null ? "botyard" : named);
                lines = sentLines(file, given.getOrDefault("--seat", "1"), program);
            }
            Counted counted = new Counted(recorded);
            session = new Replaying(make, only, counted);
            for (String line : lines) {
                Map<String, Object> message = Session.message(line);
                if ("start".equals(message.get("type")) && !options.isEmpty()) {
                    Map<String, Object> all = Json.object();
                    all.putAll(Json.map(message, "options"));
                    all.putAll(options);
                    message.put("options", all);
                    line = Json.write(message);
                }
                if (!session.handle(line)) {
                    break;
                }
            }
            if (only != null && counted.asked == 0) {
                System.err.println("there is no decision " + only + " of this seat" + known(lines));
                return 1;
            }
            System.out.println(counted.asked + " decisions"
                    + (isReplay ? ", " + counted.different + " differ from the record" : ""));
            return 0;
        } catch (UsageException | OptionException | Session.RefereeLineException error) {
            System.err.println(error.getMessage());
        } catch (Throwable error) {
            if (session != null) {
                System.err.println(session.doing() + " failed:");
            }
            error.printStackTrace();
        }
        return 1;
    }

    /** Returns which decisions were asked for, as the end of a message. */
    private static String known(List<String> lines) {
        List<Integer> turns = lines.stream()
                .map(Session::message)
                .filter(message -> "turn".equals(message.get("type")))
                .map(message -> Json.integer(message, "turn", 0))
                .toList();
        return turns.isEmpty()
                ? ", which was never to move"
                : ": its first is " + turns.get(0) + ", its last " + turns.get(turns.size() - 1);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException error) {
            throw new UsageException("--turn: expected the number of a decision, got " + text);
        }
    }

    private static void readArguments(String[] words, Map<String, String> given, Map<String, Object> options) {
        for (int n = 0; n < words.length; n++) {
            String name = words[n];
            int equals = name.startsWith("--") ? name.indexOf('=') : -1;
            String value = equals < 0 ? null : name.substring(equals + 1);
            name = equals < 0 ? name : name.substring(0, equals);
            if (!NAMES.contains(name)) {
                continue; // The bot's.
            }
            if (value == null && n + 1 == words.length) {
                throw new UsageException(name + ": expected a value");
            }
            value = value == null ? words[++n] : value;
            if (!name.equals("--option")) {
                given.put(name, value);
                continue;
            }
            int split = value.indexOf('=');
            if (split < 0) {
                throw new UsageException("--option: expected KEY=VALUE, got " + value);
            }
            Object parsed = value.substring(split + 1);
            try {
                parsed = Json.parse(value.substring(split + 1));
            } catch (Json.ParseException error) {
                // A text.
            }
            options.put(value.substring(0, split), parsed);
        }
    }
}
