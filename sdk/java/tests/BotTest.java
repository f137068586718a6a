import static botyard.Json.object;

import botyard.AnyBot;
import botyard.Bot;
import botyard.Clock;
import botyard.ConnectFour;
import botyard.Game;
import botyard.Json;
import botyard.Option;
import botyard.Outcome;
import botyard.Session;
import botyard.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Tests of the protocol loop. */
public final class BotTest {
    static class First extends AnyBot {
        final Option.Int depth = intOption("depth", 3, 1, 9, "plies");
        final Option.Real c = floatOption("c", 1.4, 0.0, 10.0, "");
        final Option.Choice playouts = enumOption("playouts", "random", List.of("random", "greedy"), "");
        final Option.Flag ponder = boolOption("ponder", false, "");
        final Option.Text book = textOption("book-file", "", "");

        First() {
            version = "2";
            author = "A. Student";
            games = List.of("any", "other");
        }

        @Override
        public Object choose(Turn<Object, Object> turn) throws Exception {
            return turn.legalActions().get(0);
        }
    }

    /** A bot that plays every game and whose choice is a function. */
    static Supplier<Bot<?, ?>> choosing(Function<Turn<Object, Object>, Object> function) {
        return () -> new AnyBot() {
            {
                name = "choosing";
            }

            @Override
            public Object choose(Turn<Object, Object> turn) {
                return function.apply(turn);
            }
        };
    }

    static void hello() throws Exception {
        Map<String, Object> hello = map(Kit.conversation(First::new, Kit.HELLO, Kit.QUIT, Kit.HELLO).get(0));
        Object options = hello.remove("options");
        Kit.equal(hello, Json.parse("""
                {"type":"hello","protocol":1,"name":"first","version":"2","author":"A. Student","games":["any","other"]}"""));
        Kit.equal(Json.field(options, "depth"),
                Json.parse("{\"kind\":\"int\",\"min\":1,\"max\":9,\"default\":3,\"about\":\"plies\"}"));
        Kit.equal(Json.field(options, "c"), object("kind", "float", "min", 0.0, "max", 10.0, "default", 1.4));
        Kit.equal(Json.field(options, "playouts"),
                object("kind", "enum", "values", List.of("random", "greedy"), "default", "random"));
        Kit.equal(Json.field(options, "ponder"), object("kind", "bool", "default", false));
        Kit.equal(Json.field(options, "book-file"), object("kind", "text", "default", ""));
        Kit.equal(Json.field(Json.field(options, "seed"), "max"), 1L << 53);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object message) {
        return (Map<String, Object>) message;
    }

    static void aRefereeThatSaysTheLeast() throws Exception {
        List<Object> said = Kit.conversation(
                First::new, object("type", "hello"), object("type", "start", "game", "any"),
                object("type", "turn", "turn", 1, "legal", List.of(1)));
        Kit.equal(said.size(), 3);
        Kit.equal(said.get(2), object("type", "move", "turn", 1, "action", 1));
        said = Kit.conversation(
                First::new, Kit.HELLO, object("type", "weather", "turn", 3), Kit.start("any", "mood", "good"),
                object("none", 1), object("type", 7), Kit.turn(1, List.of(5), "x", 1));
        Kit.equal(said.size(), 3);
        Kit.equal(Kit.action(said.get(2)), 5);
        Session session = new Session(First::new, line -> {}, System.err);
        Kit.has(Kit.thrown(() -> session.handle("[1]")), "expected a message of the referee");
        Kit.has(Kit.thrown(() -> session.handle("{\"type\"")), "expected a message of the referee");
    }

    static void options() throws Exception {
        List<Object> seen = new ArrayList<>();
        First watching = new First() {
            @Override
            public void start(Game game) {
                seen.add(List.of(depth.asInt(), c.get(), playouts.get(), ponder.get(), book.get()));
            }
        };
        Map<String, Object> options =
                object("depth", 9, "c", 2, "playouts", "greedy", "ponder", true, "book-file", "x");
        Kit.conversation(() -> watching, Kit.start("any", "options", options), Kit.start());
        Kit.equal(seen, List.of(List.of(9, 2.0, "greedy", true, "x"), List.of(3, 1.4, "random", false, "")));
        String known = "the options of this bot are: book-file, c, depth, playouts, ponder, seed";
        for (String[] refused : new String[][] {
            {"{\"depht\":3}", "there is no option depht; " + known},
            {"{\"depth\":0}", "option depth: expected an integer from 1 to 9, got 0"},
            {"{\"depth\":2.5}", "got 2.5"},
            {"{\"depth\":true}", "got true"},
            {"{\"c\":\"1\"}", "a number from 0.0 to 10.0"},
            {"{\"playouts\":\"none\"}", "one of random, greedy"},
            {"{\"ponder\":1}", "true or false"},
            {"{\"book-file\":[]}", "a text"},
            {"{\"seed\":18446744073709551615}", "an integer from 0"},
        }) {
            Object values = Json.parse(refused[0]);
            Kit.has(Kit.thrown(() -> Kit.conversation(First::new, Kit.start("any", "options", values))), refused[1]);
        }
        Kit.has(Kit.thrown(() -> new First() {
            final Option.Int wrong = intOption("wrong", 0, 1, 2, "");
        }), "option wrong");
    }

    static final class Counting extends AnyBot {
        private int asked;

        @Override
        public Object choose(Turn<Object, Object> turn) {
            return ++asked;
        }
    }

    static void aFactoryMakesANewBotForEveryGame() throws Exception {
        List<Map<String, Object>> two = new ArrayList<>();
        for (int game = 0; game < 2; game++) {
            two.addAll(List.of(Kit.start(), Kit.turn(1, null), Kit.turn(3, null), Kit.end()));
        }
        Kit.equal(actions(Counting::new, two), List.of(1, 2, 1, 2));
        Counting bot = new Counting();
        Kit.equal(actions(() -> bot, two), List.of(1, 2, 3, 4));
    }

    @SuppressWarnings("unchecked")
    private static List<Object> actions(Supplier<? extends Bot<?, ?>> bot, List<Map<String, Object>> messages)
            throws Exception {
        return Kit.conversation(bot, messages.toArray(Map[]::new)).stream()
                .filter(message -> Json.text(message, "type", "").equals("move"))
                .map(Kit::action)
                .toList();
    }

    static void severalSeats() throws Exception {
        List<Object> seen = new ArrayList<>();
        Supplier<Bot<?, ?>> both = choosing(turn -> {
            seen.add(List.of(turn.seat, turn.game.setupOf(turn.seat)));
            return 1;
        });
        Map<String, Object> begin = Kit.start(
                "any", "you", List.of("a", "b"), "setup", object("x", 1), "setups", object("b", object("x", 2)));
        Kit.conversation(both, begin, Kit.turn(1, null), Kit.turn(2, null, "seat", "b"));
        Kit.equal(seen, List.of(List.of("a", object("x", 1)), List.of("b", object("x", 2))));
    }

    static void theEnd() throws Exception {
        List<Outcome> seen = new ArrayList<>();
        First ending = new First() {
            @Override
            public void end(Outcome outcome) throws Exception {
                seen.add(outcome);
                throw new java.io.IOException("after the game");
            }
        };
        String errors = Kit.errors(() -> {
            List<Object> said = Kit.conversation(
                    () -> ending, Kit.start(), Kit.end(), Kit.start(), Kit.turn(1, List.of(2)));
            Kit.equal(Kit.action(Kit.last(said)), 2);
            return null;
        });
        Outcome outcome = seen.get(0);
        Kit.equal(Arrays.asList(outcome.score("a"), outcome.score("b"), outcome.score("c")), Arrays.asList(1.0, 0.0, null));
        Kit.equal(List.of(outcome.kind, outcome.reason, outcome.ranks), List.of("completed", "won", List.of(1, 2)));
        Kit.has(errors, "java.io.IOException: after the game");
    }

    static void whatEndsABot() {
        Kit.has(Kit.thrown(() -> Kit.conversation(First::new, Kit.turn(1, List.of(1)))), "no game is in progress");
        Kit.has(Kit.thrown(() -> Kit.conversation(First::new, Kit.start("chess"))), "asked to play 'chess'");
        Kit.has(Kit.thrown(() -> Kit.conversation(choosing(turn -> null), Kit.start(), Kit.turn(1, List.of(1)))),
                "returned null");
        Kit.has(Kit.thrown(() -> Kit.conversation(choosing(turn -> Double.NaN), Kit.start(), Kit.turn(1, null))), "NaN");
    }

    static void errorsOfTheReferee() throws Exception {
        Map<String, Object> detail = object("got", "{}", "legal_sample", List.of(1));
        Map<String, Object> error =
                object("type", "error", "turn", 3, "code", "illegal_action", "message", "no", "detail", detail);
        String errors = Kit.errors(() -> Kit.conversation(First::new, error, object("type", "error")));
        Kit.has(errors, "first: error from the referee: turn 3: illegal_action: no\n  your line: {}\n");
        Kit.has(errors, "legal would be, for example: [1]");
    }

    static void logAndInfo() throws Exception {
        List<Object> said = Kit.conversation(choosing(turn -> {
            turn.log("two\nlines \ud800 \u00fc");
            turn.info("score", 0.5).info("depth", 3).info("pv", new int[] {1, 2});
            turn.info("text", "got him").info("mine", Map.of("a", List.of(1, 2)));
            turn.draw(Map.of("arrow", List.of(11, 15), "color", "red")).draw(Map.of("point", "c3", "text", "0.4"));
            return 7;
        }), Kit.start(), Kit.turn(4, List.of(7)));
        Kit.equal(said.get(1), object("type", "log", "text", "two\nlines ? \u00fc"));
        Kit.equal(Kit.last(said), Json.parse("""
                {"type":"move","turn":4,"action":7,
                 "info":{"score":0.5,"depth":3,"pv":[1,2],"text":"got him","mine":{"a":[1,2]},
                         "draw":[{"arrow":[11,15],"color":"red"},{"point":"c3","text":"0.4"}]}}"""));
    }

    static void infoNeverCostsAGame() throws Exception {
        List<Object> said = Kit.conversation(choosing(turn -> {
            Object deep = List.of();
            for (int n = 0; n < 100; n++) {
                deep = List.of(deep);
            }
            turn.info("score", Double.NaN).info("nodes", 1L << 60).info("deep", deep).info("what", new Object());
            turn.info("low", -(1L << 60)).info("thing", Map.of(1, "a", "$serde", 2)).info("nothing", null);
            turn.info("strange", List.of(new Object(), Double.NEGATIVE_INFINITY));
            turn.log("x".repeat(100_000));
            return 1;
        }), Kit.HELLO, Kit.start(), Kit.turn(1, List.of(1)));
        Object info = Json.field(Kit.last(said), "info");
        Kit.equal(Json.field(info, "score"), null);
        Kit.equal(Json.field(info, "nodes"), "1152921504606846976");
        Kit.equal(Json.field(info, "low"), "-1152921504606846976");
        Kit.equal(Json.field(info, "thing"), object("1", "a"));
        Kit.has(Json.text(info, "what", ""), "java.lang.Object@");
        Kit.equal(Json.list(info, "strange").get(1), null);
        Kit.check(Json.write(Json.field(info, "deep")).length() < 2000, "deep");
        int logged = Json.text(said.get(said.size() - 2), "text", "").length();
        Kit.check(logged < 65536 && logged > 30000, "log");
        String errors = Kit.errors(() -> {
            List<Object> answers = Kit.conversation(choosing(turn -> {
                turn.info("text", "x".repeat(70_000));
                return 1;
            }), Kit.start(), Kit.turn(1, List.of(1)));
            Kit.equal(Json.field(Kit.last(answers), "info"), null);
            return null;
        });
        Kit.has(errors, "info left out");
    }

    private static Object draw(int number, Object... fields) throws Exception {
        List<Object> said = Kit.conversation(
                choosing(turn -> turn.random().nextInt(1_000_000_000)), Kit.start("any", fields), Kit.turn(number, null));
        return Kit.action(Kit.last(said));
    }

    static void randomNumbersFollowFromGameAndDecision() throws Exception {
        Kit.equal(draw(1), draw(1));
        Set<Object> drawn = new HashSet<>(List.of(
                draw(1), draw(2), draw(1, "game_id", "8-1"), draw(1, "you", List.of("b")),
                draw(1, "options", object("seed", 4))));
        Kit.equal(drawn.size(), 5);
    }

    static final class Four extends ConnectFour.Bot {
        @Override
        public ConnectFour.Action choose(Turn<ConnectFour.View, ConnectFour.Action> turn) {
            Kit.check(turn.legal() == null, "no list");
            List<ConnectFour.Action> actions = turn.legalActions();
            return actions.get(actions.size() - 1);
        }
    }

    static void withoutLegalActions() throws Exception {
        Kit.has(Kit.thrown(() -> Kit.conversation(First::new, Kit.start(), Kit.turn(1, null))), "--no-legal");
        List<Object> column = new ArrayList<>(java.util.Collections.nCopies(6, "."));
        Map<String, Object> view = object("columns", java.util.Collections.nCopies(7, column), "discs", 0);
        List<Object> said = Kit.conversation(Four::new, Kit.start("connect-four"), Kit.turn(1, null, "view", view));
        Kit.equal(Kit.action(Kit.last(said)), object("column", 7));
    }

    static final class Failing extends First {
        Failing() {
            answerOnError = true;
        }

        @Override
        public void start(Game game) {
            throw new IllegalStateException("tables");
        }

        private static int deeper(int n) {
            return 1 + deeper(n + 1);
        }

        @Override
        public Object choose(Turn<Object, Object> turn) throws Exception {
            return switch (turn.number) {
                case 1 -> throw new java.io.IOException("nothing");
                case 2 -> null;
                case 3 -> object("to", 9);
                case 5 -> deeper(0);
                default -> object("to", 1);
            };
        }
    }

    static void answerOnError() throws Exception {
        List<Object> legal = List.of(object("to", 1));
        String errors = Kit.errors(() -> {
            List<Object> said = Kit.conversation(
                    Failing::new, Kit.start(), Kit.turn(1, legal), Kit.turn(2, legal), Kit.turn(3, legal),
                    Kit.turn(4, legal), Kit.turn(5, legal));
            Kit.equal(said.size(), 6);
            said.subList(1, 6).forEach(move -> Kit.equal(Kit.action(move), legal.get(0)));
            return null;
        });
        for (String part : List.of(
                "IllegalStateException: tables", "java.io.IOException: nothing", "at BotTest", "returned null",
                "{\"to\":9}, which is not a legal action", "StackOverflowError")) {
            Kit.has(errors, part);
        }
        Kit.check(!errors.contains("turn 4"), "turn 4 is legal");
    }

    private static Clock clock(String kind, Integer move, Integer bank, int increment, double ago) {
        Clock.Reading now = Clock.Reading.now(true);
        Clock.Reading began = new Clock.Reading(now.wall() - ago, now.cpu(), now.threads());
        return new Clock(
                object("kind", kind, "move_ms", move, "bank_ms", bank, "increment_ms", increment), began);
    }

    static void clocks() throws Exception {
        // Cap, bank, increment, decisions expected, result: milliseconds, as in the Rust kit.
        for (Integer[] one : new Integer[][] {
            {1000, null, 0, 1, 950},
            {1000, null, 500, 30, 950},
            {120, null, 0, 1, 100},
            {4, null, 0, 1, 2},
            {null, 60_000, 0, 30, 1950},
            {null, 60_000, 1000, 30, 2950},
            {null, 90, 1000, 30, 75},
            {null, 60_000, 0, 0, 59_950},
            {1500, 60_000, 0, 30, 1450},
            {1500, 900, 0, 30, 20},
            {1500, 0, 0, 30, 0},
        }) {
            Kit.near(clock("wall", one[0], one[1], one[2], 0).share(one[3]), one[4] / 1000.0, 1e-9);
        }
        Kit.near(clock("cpu", 120, null, 0, 0).share(), 0.110, 1e-9);
        Kit.near(clock("cpu", null, 60_000, 0, 0).share(30), 1.975, 1e-9);
        double infinite = Double.POSITIVE_INFINITY;
        Kit.near(clock("wall", null, null, 0, 0).share(30), infinite, 0);
        // Seconds of difference are left to a busy machine.
        Kit.near(clock("wall", 1_000_000, 5_000_000, 0, 250).left(), 750, 10);
        Kit.near(clock("wall", 5_000_000, 1_000_000, 0, 2000).left(), -1000, 10);
        Kit.near(clock("later", 1_000_000, null, 0, 500).left(), 500, 10);
        Kit.near(clock("wall", null, null, 0, 0).left(), infinite, 0);
        Clock cpu = clock("cpu", 1000, null, 0, 0);
        Thread.sleep(200);
        Kit.check(cpu.left() > 0.85, "CPU time does not pass while a thread sleeps: " + cpu.left());
        long until = System.nanoTime() + 60_000_000;
        double before = cpu.elapsed();
        while (System.nanoTime() < until) {
            Math.sqrt(until);
        }
        Kit.check(cpu.elapsed() > before, "CPU time passes while a thread computes");
        // The wall-clock limit: five times the CPU time, and 250 ms.
        Kit.near(clock("cpu", 100_000, null, 0, 450).left(), 50.25, 10);
        double[] left = new double[2];
        Session session = new Session(choosing(turn -> {
            left[0] = turn.timeLeft();
            left[1] = turn.timeShare();
            return 1;
        }), line -> {}, System.err);
        session.handle(Json.write(Kit.start()));
        ask(session, "wall", 1, 500);
        Kit.near(left[0], 500, 10);
        Kit.near(left[1], 499.95, 10);
        Kit.check(left[1] < left[0], "a margin");
        ask(session, "wall", 1, 0); // Another try: the clock has been running since the first.
        Kit.near(left[0], 500, 10);
        ask(session, "wall", 2, 0);
        Kit.near(left[0], 1000, 10);
        session.handle(Json.write(Kit.start()));
        ask(session, "wall", 2, 700);
        Kit.near(left[0], 300, 10);
        ask(session, "cpu", 3, 0);
        Kit.near(left[0], 1000, 10);
    }

    private static void ask(Session session, String kind, int number, double ago) throws Exception {
        Clock.Reading now = Clock.Reading.now(false);
        Object clock = object("kind", kind, "move_ms", 1_000_000);
        session.handle(Json.write(Kit.turn(number, List.of(1), "clock", clock)), new Clock.Reading(now.wall() - ago, 0, 0));
    }

    static void json() {
        String text = "{\"a\":[1,-2.5,1e3,true,false,null,\"x\\n\\u00fc\\\"\\\\\"],\"b\":{},\"c\":[]}";
        Kit.equal(Json.parse(text), Json.parse(Json.write(Json.parse(" " + text.replace(",", " ,\t") + "\r\n"))));
        Kit.equal(Json.write(Json.parse(text)), text.replace("1e3", "1000.0"));
        Kit.equal(Json.write("\ud83d\ude00\u007f"), "\"\\ud83d\\ude00\\u007f\"");
        for (String wrong : List.of("", "{", "[1,]", "{\"a\"}", "tru", "1 2", "\"x", "\"\\x\"", "-", "[1", "{\"a\":1,}")) {
            Kit.has(Kit.thrown(() -> Json.parse(wrong)), "not JSON");
        }
        Kit.check(Json.same(object("a", 1, "b", 2), object("b", 2L, "a", 1)), "the order of keys does not matter");
        Kit.check(!Json.same(1, 1.0), "1 is not 1.0");
    }

    public static void main(String[] args) throws Exception {
        json();
        hello();
        aRefereeThatSaysTheLeast();
        options();
        aFactoryMakesANewBotForEveryGame();
        severalSeats();
        theEnd();
        whatEndsABot();
        errorsOfTheReferee();
        logAndInfo();
        infoNeverCostsAGame();
        randomNumbersFollowFromGameAndDecision();
        withoutLegalActions();
        answerOnError();
        clocks();
        Kit.finish("BotTest");
    }
}
