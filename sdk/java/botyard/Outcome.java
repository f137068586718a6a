package botyard;

import java.util.List;
import java.util.Map;

/** The end of a game: the {@code end} message. */
public final class Outcome {
    /** The whole message. */
    public final Map<String, Object> message;

    /** The game that ended; {@code null} if none was in progress. */
    public final Game game;

    /** {@code completed}, {@code bot_fault} or {@code void}. */
    public final String kind;

    /** The points of each seat, in seat order; empty if the game is void. */
    public final List<Double> scores;

    /** The place of each seat, from 1; empty if the game is void. */
    public final List<Integer> ranks;

    /** The reason for the end: a word of the game. */
    public final String reason;

    /** The faults of the game. */
    public final List<Object> faults;

    /** The whole final state, with all hidden information. */
    public final Object reveal;

    /** Reads the message. */
    public Outcome(Map<String, Object> end, Game game) {
        Map<String, Object> outcome = Json.map(end, "outcome");
        message = end;
        this.game = game;
        kind = Json.text(outcome, "kind", "");
        scores = Json.list(outcome, "scores").stream().map(score -> ((Number) score).doubleValue()).toList();
        ranks = Json.list(outcome, "ranks").stream().map(rank -> ((Number) rank).intValue()).toList();
        reason = Json.text(outcome, "reason", "");
        faults = Json.list(end, "faults");
        reveal = end.get("reveal");
    }

    /** Returns the points of a seat; {@code null} if the game is void. */
    public Double score(String seat) {
        int index = game == null ? -1 : game.seats.indexOf(seat);
        return index < 0 || index >= scores.size() ? null : scores.get(index);
    }
}
