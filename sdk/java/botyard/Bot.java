package botyard;

import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A bot. Override {@link #choose}, and perhaps {@link #start} and {@link #end}. Derive from {@link AnyBot}, or from the
 * class {@code Bot} in a game's class, which gives views and actions their types:
 *
 * <pre>{@code
 * import botyard.*;
 *
 * class Mine extends AnyBot {
 *     public Object choose(Turn<Object, Object> turn) {
 *         return turn.choice(turn.legalActions());
 *     }
 *
 *     public static void main(String[] args) {
 *         main(Mine::new, args);
 *     }
 * }
 * }</pre>
 *
 * @param <V> the type of the game's views
 * @param <A> the type of the game's actions
 */
public abstract class Bot<V, A> {
    /** The protocol version of the kit. */
    public static final int PROTOCOL = 1;

    final Map<String, Option<?>> options = new LinkedHashMap<>();

    /** The name of the bot; if empty, the name of the class in lower case. */
    public String name = "";

    /** Shown with results. */
    public String version = "";

    /** Shown with results. */
    public String author = "";

    /** The games that it plays; empty for every game. */
    public List<String> games = List.of();

    /**
     * Whether the bot continues after an exception in {@link #start} or {@link #choose} or an illegal action: the kit
     * reports it on standard error and plays a legal action. Otherwise an exception ends the bot.
     */
    public boolean answerOnError = false;

    /** The seed of {@link Turn#random}. */
    public final Option.Int seed = intOption("seed", 0, 0, Option.MAX_INT, "seed of random choices");

    /** Prepares for a game. This time is not charged to the first decision: build tables here. */
    public void start(Game game) throws Exception {}

    /** Returns one of the legal actions. */
    public abstract A choose(Turn<V, A> turn) throws Exception;

    /** Called at the end of a game. */
    public void end(Outcome outcome) throws Exception {}

    /** Reads a view. */
    protected abstract V readView(Object json);

    /** Reads an action. */
    protected abstract A readAction(Object json);

    /** Declares an integer from {@code min} to {@code max}, both included. */
    protected final Option.Int intOption(String name, long byDefault, long min, long max, String about) {
        return declare(new Option.Int(name, byDefault, min, max, about));
    }

    /** Declares a number from {@code min} to {@code max}, both included. */
    protected final Option.Real floatOption(String name, double byDefault, double min, double max, String about) {
        return declare(new Option.Real(name, byDefault, min, max, about));
    }

    /** Declares one of the words in {@code values}. */
    protected final Option.Choice enumOption(String name, String byDefault, List<String> values, String about) {
        return declare(new Option.Choice(name, byDefault, values, about));
    }

    /** Declares {@code true} or {@code false}. */
    protected final Option.Flag boolOption(String name, boolean byDefault, String about) {
        return declare(new Option.Flag(name, byDefault, about));
    }

    /** Declares any text. */
    protected final Option.Text textOption(String name, String byDefault, String about) {
        return declare(new Option.Text(name, byDefault, about));
    }

    private <O extends Option<?>> O declare(O option) {
        options.put(option.name, option);
        return option;
    }

    final String shownName() {
        return name.isEmpty() ? getClass().getSimpleName().toLowerCase(Locale.ROOT) : name;
    }

    /** Returns the bot's {@code hello} message. */
    public final Map<String, Object> hello() {
        Map<String, Object> hello = Json.object("type", "hello", "protocol", PROTOCOL, "name", shownName());
        if (!version.isEmpty()) {
            hello.put("version", version);
        }
        if (!author.isEmpty()) {
            hello.put("author", author);
        }
        hello.put("games", games);
        Map<String, Object> specs = Json.object();
        options.values().forEach(option -> specs.put(option.name, option.spec()));
        hello.put("options", specs);
        return hello;
    }

    /**
     * The main function of a bot: plays, or replays a recorded game with {@code --replay FILE --seat SEAT}.
     * Leaves unknown arguments to the bot. Every game has a new bot. Does not return.
     */
    public static void main(Supplier<? extends Bot<?, ?>> make, String... args) {
        for (String argument : args) {
            if (argument.equals("--replay") || argument.startsWith("--replay=")) {
                System.exit(Replay.run(make, args));
            }
        }
        System.exit(run(make));
    }

    /** The same for a bot that is kept over games. */
    public static void main(Bot<?, ?> bot, String... args) {
        main(() -> bot, args);
    }

    /** Plays until {@code quit} or the end of the input, on any streams: for tests. See {@link #main}. */
    public static void serve(Supplier<? extends Bot<?, ?>> make, InputStream lines, OutputStream output)
            throws Exception {
        serve(new Session(make, line -> writeLine(output, line), System.err), lines);
    }

    private static void serve(Session session, InputStream lines) throws Exception {
        Lines input = new Lines(lines);
        for (String line = input.next(); line != null; line = input.next()) {
            if (!session.handle(line)) {
                return;
            }
        }
    }

    /**
     * Plays on standard input and output. Returns the exit code: 1 after an exception, which is printed to standard
     * error.
     */
    static int run(Supplier<? extends Bot<?, ?>> make) {
        InputStream lines = new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16);
        OutputStream output = new FileOutputStream(FileDescriptor.out);
        System.out.flush();
        System.setOut(new Stray());
        System.setIn(InputStream.nullInputStream());
        String doing = "the constructor of the bot";
        Session session = null;
        try {
            WarmUp.run();
            session = new Session(make, line -> writeLine(output, line), System.err);
            serve(session, lines);
            return 0;
        } catch (BrokenPipe error) {
            return 0; // The referee has ended the game.
        } catch (OptionException error) {
            System.err.println("botyard: " + error.getMessage());
        } catch (Session.RefereeLineException error) {
            System.err.println("botyard: " + error.getMessage());
        } catch (Throwable error) {
            System.err.println((session == null ? doing : session.doing()) + " failed:");
            error.printStackTrace();
        }
        System.err.flush();
        return 1;
    }

    private static void writeLine(OutputStream output, String line) {
        byte[] bytes = (line + "\n").getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        try {
            output.write(bytes);
            output.flush();
        } catch (IOException error) {
            throw new BrokenPipe(error);
        }
    }

    private static final class BrokenPipe extends RuntimeException {
        private static final long serialVersionUID = 1;

        BrokenPipe(IOException cause) {
            super(cause);
        }
    }
}
