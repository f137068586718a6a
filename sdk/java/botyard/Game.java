package botyard;

import java.util.List;
import java.util.Map;

/** A game in progress: the {@code start} message. */
public final class Game {
    /** The whole message. */
    public final Map<String, Object> message;

    /** The name of the game: {@code scotland-yard}, ... */
    public final String name;

    /** The game's id; equal for a game that is repeated with the same seed. */
    public final String gameId;

    /** Every parameter of the rules. */
    public final Map<String, Object> rules;

    /** All seats, in seat order. */
    public final List<String> seats;

    /** The seats that this bot holds. */
    public final List<String> you;

    /** The bots and their seats: objects with {@code name} and {@code seats}. */
    public final List<Object> players;

    /** The clock, and {@code on_fault}. */
    public final Map<String, Object> time;

    /** The options that the match set. */
    public final Map<String, Object> options;

    /** The constant data of this game, as far as the first of your seats may know it. */
    public final Map<String, Object> setup;

    private Rulebook<?, ?> rulebook;

    /** Reads the message. */
    public Game(Map<String, Object> start) {
        message = start;
        name = Json.text(start, "game", "");
        gameId = Json.text(start, "game_id", "");
        rules = Json.map(start, "rules");
        seats = Json.texts(Json.field(start, "seats"));
        you = Json.texts(Json.field(start, "you"));
        players = Json.list(start, "players");
        time = Json.map(start, "time");
        options = Json.map(start, "options");
        setup = Json.map(start, "setup");
    }

    /** Returns the setup as this seat of yours may know it. */
    public Map<String, Object> setupOf(String seat) {
        Map<String, Object> setups = Json.map(message, "setups");
        return Json.field(setups, seat) == null ? setup : Json.map(setups, seat);
    }

    /** Returns the kit's class for this game under these rules; {@code null} if the kit does not know the game. */
    public Rulebook<?, ?> rulebook() {
        if (rulebook == null) {
            rulebook = Rulebook.of(name, rules, setup);
        }
        return rulebook;
    }
}
