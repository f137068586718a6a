package botyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A game under one set of rules: the base of the games' classes.
 *
 * @param <V> the type of its views
 * @param <A> the type of its actions
 */
public abstract class Rulebook<V, A> {
    /** The games that the kit knows. A further one needs a class like these, and a line here. */
    private static final Map<String, BiFunction<Map<String, Object>, Map<String, Object>, Rulebook<?, ?>>> KNOWN =
            Map.of(
                    "connect-four", (rules, setup) -> new ConnectFour(),
                    "dice-wars", (rules, setup) -> new DiceWars(rules),
                    "draughts", (rules, setup) -> new Draughts(rules),
                    "liars-dice", (rules, setup) -> new LiarsDice(rules),
                    "scotland-yard", (rules, setup) -> new ScotlandYard(rules, setup));

    /** Returns the kit's class for a game under these rules; {@code null} if the kit does not know the game. */
    public static Rulebook<?, ?> of(String game, Map<String, Object> rules, Map<String, Object> setup) {
        var make = KNOWN.get(game);
        return make == null ? null : make.apply(rules, setup);
    }

    /** Returns the legal actions of the seat to move, in the order of the {@code legal} list. */
    public abstract List<A> legal(V view);

    /** Reads a view. */
    public abstract V view(Object json);

    final List<Object> legalJson(Object view) {
        List<Object> found = new ArrayList<>();
        legal(view(view)).forEach(action -> found.add(Json.plain(action)));
        return found;
    }
}
