package botyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Liar's Dice: the types of its views and actions, legal actions, and the probability of a bid.
 *
 * <p>The rules and the JSON are described in {@code docs/games/liars-dice.md}.
 */
public final class LiarsDice extends Rulebook<LiarsDice.View, LiarsDice.Action> {
    /** The faces of a die. */
    public static final int FACES = 6;

    /** At least {@code count} of all dice show {@code face}. */
    public record Bid(int count, int face) implements Comparable<Bid> {
        @Override
        public int compareTo(Bid other) {
            return count != other.count ? count - other.count : face - other.face;
        }
    }

    /** A bid, or {@code "liar"} where it is null. */
    public record Action(Bid bid) implements Json.Value {
        /** The last bid is not true. */
        public static final Action LIAR = new Action(null);

        static Action of(Object json) {
            Object bid = Json.field(json, "bid");
            return bid == null ? LIAR : new Action(new Bid(Json.integer(bid, "count"), Json.integer(bid, "face")));
        }

        @Override
        public Object json() {
            return bid == null ? "liar" : Json.object("bid", Json.object("count", bid.count, "face", bid.face));
        }
    }

    /** Who lost: the number of the seat, from 0, and why. */
    public record Lost(int seat, String reason) {}

    /**
     * For each seat how many of its dice show 1 to 6 (null where that is hidden), the last bid or null, how many bids
     * there were, and who lost (null before the end).
     */
    public record View(List<int[]> cups, Bid bid, int bids, Lost lost) {
        static View of(Object json) {
            List<int[]> cups = new ArrayList<>();
            Json.list(json, "cups").forEach(cup -> cups.add(cup == null ? null : Json.integers(cup)));
            Object bid = Json.field(json, "bid");
            int[] pair = bid == null ? null : Json.integers(bid);
            List<Object> lost = Json.list(json, "lost");
            return new View(
                    cups,
                    pair == null ? null : new Bid(pair[0], pair[1]),
                    Json.integer(json, "bids", 0),
                    lost.isEmpty() ? null : new Lost(((Number) lost.get(0)).intValue(), (String) lost.get(1)));
        }
    }

    /** A bot of this game. */
    public abstract static class Bot extends botyard.Bot<View, Action> {
        @Override
        protected View readView(Object json) {
            return View.of(json);
        }

        @Override
        protected Action readAction(Object json) {
            return Action.of(json);
        }
    }

    private final int players;
    private final int dice;

    /** Prepares the game with the rules of a {@code start} message. */
    public LiarsDice(Map<String, Object> rules) {
        players = Json.integer(rules, "players", 2);
        dice = Json.integer(rules, "dice", 5);
    }

    @Override
    public View view(Object json) {
        return View.of(json);
    }

    /** Returns the legal actions: {@code LIAR} after a bid, and the higher bids. */
    @Override
    public List<Action> legal(View view) {
        List<Action> actions = new ArrayList<>();
        if (view.lost != null) {
            return actions;
        }
        if (view.bid != null) {
            actions.add(Action.LIAR);
        }
        for (int count = 1; count <= players * dice; count++) {
            for (int face = 1; face <= FACES; face++) {
                Bid bid = new Bid(count, face);
                if (view.bid == null || bid.compareTo(view.bid) > 0) {
                    actions.add(new Action(bid));
                }
            }
        }
        return actions;
    }

    /**
     * Returns the probability that at least {@code count} of all dice show {@code face}, given the cups in the view.
     * The hidden dice are taken as fair: nothing is concluded from the bids.
     */
    public double truth(View view, int count, int face) {
        int seen = 0;
        int hidden = 0;
        for (int[] cup : view.cups) {
            seen += cup == null ? 0 : cup[face - 1];
            hidden += cup == null ? dice : 0;
        }
        double sum = 0;
        for (int hits = Math.max(count - seen, 0); hits <= hidden; hits++) {
            sum += choose(hidden, hits) * Math.pow(5, hidden - hits);
        }
        return sum / Math.pow(6, hidden);
    }

    private static double choose(int n, int k) {
        double ways = 1;
        for (int i = 1; i <= k; i++) {
            ways = ways * (n - k + i) / i;
        }
        return ways;
    }
}
