import static botyard.Json.field;

import botyard.Bot;
import botyard.ConnectFour;
import botyard.DiceWars;
import botyard.Draughts;
import botyard.Json;
import botyard.LiarsDice;
import botyard.Rulebook;
import botyard.ScotlandYard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Runs all vectors of sdk/vectors: the engine computed them, the kit must agree. The argument is their directory. */
public final class VectorTest {
    private static Path vectors;

    private static ScotlandYard.Ticket ticket(Object word) {
        return ScotlandYard.Ticket.valueOf(((String) word).toUpperCase(java.util.Locale.ROOT));
    }

    /** The part of a view that the vectors have. */
    private static Object withoutMap(DiceWars.View view) {
        Map<?, ?> json = (Map<?, ?>) view.json();
        json.remove("adjacent");
        return json;
    }

    private static <V> Object legal(Rulebook<V, ?> book, Object view) {
        return book.legal(book.view(view));
    }

    private static Object call(Rulebook<?, ?> book, Object view, Object check) {
        String name = Json.text(check, "call", "");
        if (name.equals("legal")) {
            return legal(book, view);
        }
        if (book instanceof ScotlandYard yard) {
            switch (name) {
                case "candidates":
                    return yard.candidates(yard.view(view));
                case "candidates_after":
                    List<ScotlandYard.LogEntry> log = yard.view(view).log();
                    List<Integer> possible = Arrays.stream(Json.integers(field(check, "possible"))).boxed().toList();
                    return yard.candidatesAfter(possible, log.get(log.size() - 1));
                case "neighbours":
                    return yard.neighbours(Json.integer(check, "station"), ticket(field(check, "ticket")));
                case "distance":
                    Object tickets = field(check, "tickets");
                    return yard.distance(Json.integer(check, "from"), Json.integer(check, "to"),
                            tickets == null
                                    ? null
                                    : new ScotlandYard.Tickets(Json.integer(tickets, "taxi"), Json.integer(tickets, "bus"),
                                            Json.integer(tickets, "underground")));
                default:
            }
        }
        if (book instanceof Draughts rules) {
            Draughts.View typed = rules.view(view);
            String move = Json.text(check, "move", "");
            switch (name) {
                case "captures":
                    return rules.captures(Draughts.position(typed));
                case "play":
                    return Draughts.fen(rules.play(Draughts.position(typed), move));
                case "history":
                    return Draughts.history(typed).stream().map(Draughts::fen).toList();
                case "repetitions_after":
                    return rules.repetitionsAfter(typed, move);
                case "draw_after":
                    return rules.drawAfter(typed, move);
                case "plies_left":
                    return rules.pliesLeft(typed);
                default:
            }
        }
        if (book instanceof LiarsDice rules && name.equals("truth")) {
            return rules.truth(rules.view(view), Json.integer(check, "count"), Json.integer(check, "face"));
        }
        if (book instanceof DiceWars rules) {
            if (name.equals("win")) {
                return DiceWars.winProbability(Json.integer(check, "attacker"), Json.integer(check, "defender"));
            }
            DiceWars.View typed = rules.view(view);
            if (name.equals("regions")) {
                return rules.regions(typed, Json.integer(check, "player"));
            }
            if (name.equals("new_dice")) {
                return rules.newDice(typed, Json.integer(check, "player"));
            }
            if (name.equals("hold_probability")) {
                return rules.holdProbability(typed, Json.integer(check, "area"), Json.integer(check, "dice"),
                        Json.integer(check, "player"));
            }
            int from = Json.integer(check, "from");
            int to = Json.integer(check, "to");
            Object before = Json.plain(typed);
            DiceWars.View after = name.equals("attack")
                    ? rules.afterAttack(typed, from, to, Json.flag(check, "won", false))
                    : rules.afterTransfer(typed, from, to);
            Kit.equal(typed, before, "a helper changed the view");
            return withoutMap(after);
        }
        if (book instanceof ConnectFour rules && name.equals("play")) {
            ConnectFour.View typed = rules.view(view);
            Object after = rules.play(typed, new ConnectFour.Action(Json.integer(field(check, "action"), "column"))).json();
            Kit.equal(typed, view, "a helper changed the view");
            return after;
        }
        throw new IllegalStateException("there is no function for the call " + name);
    }

    private static List<String> lines(String game) throws Exception {
        return Files.readAllLines(vectors.resolve(game + ".jsonl"));
    }

    private static Object sorted(Object actions) {
        List<String> found = new ArrayList<>(Json.texts(Json.plain(actions)));
        found.sort(null);
        return found;
    }

    static void runFile(String game) throws Exception {
        Map<Object, Rulebook<?, ?>> books = new HashMap<>();
        int count = 0;
        for (String line : lines(game)) {
            Object message = Json.parse(line);
            if (field(message, "checks") == null) {
                books.put(field(message, "game"),
                        Rulebook.of(game, Json.map(message, "rules"), Json.map(message, "setup")));
                continue;
            }
            Rulebook<?, ?> book = books.get(field(message, "game"));
            for (Object check : Json.list(message, "checks")) {
                count++;
                String where = field(message, "case") + " " + field(check, "call");
                Object found = call(book, field(message, "view"), check);
                Object expected = field(check, "expect");
                if (List.of("win", "hold_probability", "truth").contains(field(check, "call"))) {
                    Kit.near((Double) found, ((Number) expected).doubleValue(), 1e-12);
                } else if (game.equals("draughts") && List.of("legal", "captures").contains(field(check, "call"))) {
                    Kit.equal(sorted(found), sorted(expected), where);
                } else {
                    Kit.equal(found, expected, where);
                }
            }
        }
        Kit.check(count > 30, game + ": expected more than 30 vectors, got " + count);
        System.out.println(game + ": " + count + " vectors");
    }

    /** The example is asked in every view of the vectors, with and without the list of legal actions. */
    static void runExample(Supplier<Bot<?, ?>> bot, String game) throws Exception {
        Map<Object, Object> games = new HashMap<>();
        int asked = 0;
        for (String line : lines(game)) {
            Object message = Json.parse(line);
            Object view = field(message, "view");
            if (field(message, "checks") == null) {
                games.put(field(message, "game"), message);
            }
            if (view == null) {
                continue;
            }
            List<Object> legal = List.of();
            for (Object check : Json.list(message, "checks")) {
                legal = "legal".equals(field(check, "call")) ? Json.list(check, "expect") : legal;
            }
            if (legal.isEmpty()) {
                continue;
            }
            Object declared = games.get(field(message, "game"));
            Object toMove = field(view, "to_move");
            String seat = game.equals("dice-wars") ? "player-" + toMove : toMove instanceof String name ? name : "a";
            Map<String, Object> begin = Kit.start(
                    game, "rules", field(declared, "rules"), "setup", field(declared, "setup"), "you", List.of(seat),
                    "seats", List.of("a", "b", "c"));
            for (List<Object> listed : Arrays.asList(legal, null)) {
                asked++;
                List<Object> said = Kit.conversation(bot, begin, Kit.turn(1, listed, "view", view, "seat", seat));
                Object action = Kit.action(Kit.last(said));
                Kit.check(legal.stream().anyMatch(one -> Json.same(one, action)),
                        field(message, "case") + ": " + Json.write(action) + " is not legal");
            }
        }
        Kit.check(asked > 40, game + ": expected more than 40 decisions, got " + asked);
        System.out.println(bot.get().hello().get("name") + ", " + game + ": " + asked + " decisions");
    }

    private static long perft(Draughts rules, Draughts.Position position, int depth) {
        List<String> moves = rules.moves(position);
        return depth == 1
                ? moves.size()
                : moves.stream().mapToLong(move -> perft(rules, rules.play(position, move), depth - 1)).sum();
    }

    static void games() {
        Draughts english = new Draughts();
        long[] expected = {7, 49, 302, 1469, 7361};
        for (int depth = 1; depth <= 5; depth++) {
            Kit.equal(perft(english, Draughts.START, depth), expected[depth - 1]);
        }
        Kit.equal(Draughts.fen(Draughts.positionOfFen("B:W18,K10:BK5,1-4.")), "B:WK10,18:B1,2,3,4,K5");
        Kit.equal(Draughts.captured("22x15x8"), List.of(18, 11));
        Kit.equal(Draughts.captured("11-15"), List.of());

        LiarsDice dice = new LiarsDice(Json.object("players", 2, "dice", 1));
        LiarsDice.View view = dice.view(Json.parse(
                "{\"cups\":[[0,1,0,0,0,0],null],\"bid\":null,\"bids\":0,\"lost\":null}"));
        Kit.near(dice.truth(view, 1, 2), 1.0, 1e-12);
        Kit.near(dice.truth(view, 2, 2), 1.0 / 6, 1e-12);
        Kit.near(dice.truth(view, 1, 3), 1.0 / 6, 1e-12);
        Kit.near(dice.truth(view, 2, 3), 0.0, 1e-12);

        Kit.check(Rulebook.of("bot", Map.of(), Map.of()) == null, "an unknown game");
        Kit.check(Rulebook.of("", Map.of(), Map.of()) == null, "no game");
        char[][] columns = new char[7][];
        Arrays.setAll(columns, n -> (n == 0 ? "xxx..." : "......").toCharArray());
        Kit.check(!ConnectFour.winsAt(columns, 0, 2), "three are no line");

        DiceWars rules = new DiceWars(Map.of());
        DiceWars.View map = rules.view(Json.parse("""
                {"to_move":1,"owners":[1,2],"dice":[8,1],"adjacent":[[2],[1]],"reserves":[0,70],"regions":[1,1],
                 "places":[null,null],"transfers_left":0,"turns":0,"battles":0,"quiet_turns":0}"""));
        Kit.equal(rules.attackAtRandom(map, 1, 2, new Random(1)).over, "conquest");
        Kit.equal(rules.newDice(map, 1), 1);
        Kit.equal(rules.newDice(map, 2), 64);
        Kit.near(rules.holdProbability(map, 2, 1, 2), 1 - DiceWars.winProbability(8, 1), 1e-12);
    }

    public static void main(String[] args) throws Exception {
        vectors = Path.of(args[0]);
        games();
        for (String game : List.of("scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice")) {
            runFile(game);
            runExample(Legal::new, game);
        }
        runExample(Detective::new, "scotland-yard");
        runExample(DraughtsTwoPly::new, "draughts");
        runExample(DiceWarsRule::new, "dice-wars");
        Kit.finish("VectorTest");
    }
}
