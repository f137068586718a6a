package botyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Dice Wars: the types of its views and actions, exact probabilities of battles, regions, and the results of attacks.
 *
 * <p>Methods that change a view return a copy. The rules and the JSON are described in {@code docs/games/dice-wars.md}.
 * Area n is at {@code [n - 1]}, and so is player n.
 */
public final class DiceWars extends Rulebook<DiceWars.View, DiceWars.Action> {
    /** The largest number of dice on an area. */
    public static final int MAX_DICE = 8;

    /** The largest number of new dice after a turn. */
    public static final int MAX_NEW_DICE = 64;

    /** {@code WIN[a][d]}: the probability that {@code a} dice win against {@code d}, 1 to 8 each. */
    private static final double[][] WIN = winTable();

    /** What an action does. */
    public enum Kind {
        /** An attack. */
        ATTACK,
        /** A transfer. */
        TRANSFER,
        /** The end of the turn. */
        END_TURN
    }

    /** Two areas. */
    public record Pair(int from, int to) {}

    /** An attack, a transfer, or the end of the turn, in which both areas are 0. */
    public record Action(Kind kind, int from, int to) implements Json.Value {
        /** The end of the turn. */
        public static final Action END_TURN = new Action(Kind.END_TURN, 0, 0);

        /** Returns an attack. */
        public static Action attack(int from, int to) {
            return new Action(Kind.ATTACK, from, to);
        }

        /** Returns a transfer. */
        public static Action transfer(int from, int to) {
            return new Action(Kind.TRANSFER, from, to);
        }

        static Action of(Object json) {
            if (json instanceof String) {
                return END_TURN;
            }
            Object attack = Json.field(json, "attack");
            int[] pair = Json.integers(attack != null ? attack : Json.field(json, "transfer"));
            return new Action(attack != null ? Kind.ATTACK : Kind.TRANSFER, pair[0], pair[1]);
        }

        @Override
        public Object json() {
            List<Integer> pair = List.of(from, to);
            return switch (kind) {
                case ATTACK -> Json.object("attack", pair);
                case TRANSFER -> Json.object("transfer", pair);
                case END_TURN -> "end_turn";
            };
        }
    }

    /** The whole state; all seats have the same view. Fields are named as in the JSON. */
    public static final class View implements Json.Value {
        /** The player to move. */
        public int toMove;

        /** The owner of each area. */
        public int[] owners;

        /** The dice on each area. */
        public int[] dice;

        /** The areas that touch each area. Copies of a view share it. */
        public int[][] adjacent;

        /** The dice in the reserve of each player. */
        public int[] reserves;

        /** The size of the largest region of each player. */
        public int[] regions;

        /** The place of each player; 0 where the JSON has null. */
        public int[] places;

        /** How many transfers are left in this turn. */
        public int transfersLeft;

        /** How many turns have ended. */
        public int turns;

        /** How many attacks there were. */
        public int battles;

        /** How many turns have ended since the last attack. */
        public int quietTurns;

        /** The areas of an attack whose dice are rolling; null otherwise. */
        public Pair battle;

        /** Whether new dice are falling. */
        public boolean reinforcement;

        /** The reason, when the game is over; null before. */
        public String over;

        static View of(Object json) {
            View view = new View();
            view.toMove = Json.integer(json, "to_move", 0);
            view.owners = Json.integers(Json.field(json, "owners"));
            view.dice = Json.integers(Json.field(json, "dice"));
            view.adjacent = Json.list(json, "adjacent").stream().map(Json::integers).toArray(int[][]::new);
            view.reserves = Json.integers(Json.field(json, "reserves"));
            view.regions = Json.integers(Json.field(json, "regions"));
            view.places = Json.integers(Json.field(json, "places"));
            view.transfersLeft = Json.integer(json, "transfers_left", 0);
            view.turns = Json.integer(json, "turns", 0);
            view.battles = Json.integer(json, "battles", 0);
            view.quietTurns = Json.integer(json, "quiet_turns", 0);
            Object battle = Json.field(json, "battle");
            int[] pair = battle == null ? null : Json.integers(battle);
            view.battle = pair == null ? null : new Pair(pair[0], pair[1]);
            view.reinforcement = Json.flag(json, "reinforcement", false);
            view.over = Json.text(json, "over", null);
            return view;
        }

        /** Returns a copy, of which all but {@code adjacent} may be changed. */
        public View copy() {
            View copy = new View();
            copy.toMove = toMove;
            copy.owners = owners.clone();
            copy.dice = dice.clone();
            copy.adjacent = adjacent;
            copy.reserves = reserves.clone();
            copy.regions = regions.clone();
            copy.places = places.clone();
            copy.transfersLeft = transfersLeft;
            copy.turns = turns;
            copy.battles = battles;
            copy.quietTurns = quietTurns;
            copy.battle = battle;
            copy.reinforcement = reinforcement;
            copy.over = over;
            return copy;
        }

        /** Returns the areas that touch an area. */
        public int[] neighbours(int area) {
            return adjacent[area - 1];
        }

        /** Returns the owner of an area. */
        public int owner(int area) {
            return owners[area - 1];
        }

        /** Returns the dice on an area. */
        public int diceOn(int area) {
            return dice[area - 1];
        }

        @Override
        public Object json() {
            List<Object> open = new ArrayList<>();
            for (int place : places) {
                open.add(place == 0 ? null : place);
            }
            Map<String, Object> found = Json.object(
                    "to_move", toMove, "owners", owners, "dice", dice, "adjacent", adjacent, "reserves", reserves,
                    "regions", regions, "places", open, "transfers_left", transfersLeft, "turns", turns,
                    "battles", battles, "quiet_turns", quietTurns);
            if (battle != null) {
                found.put("battle", List.of(battle.from, battle.to));
            }
            if (reinforcement) {
                found.put("reinforcement", true);
            }
            if (over != null) {
                found.put("over", over);
            }
            return found;
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

    private final int wear;
    private final int maxBattles;
    private final boolean transfersBreakQuiet;

    /** Prepares the game with the rules of a {@code start} message. */
    public DiceWars(Map<String, Object> rules) {
        wear = Json.integer(rules, "wear", 0);
        maxBattles = Json.integer(rules, "max_battles", 0);
        transfersBreakQuiet = Json.flag(rules, "transfers_break_quiet", false);
    }

    /** Returns the number of rolls of the dice by their sum. */
    private static long[] sums(int dice) {
        long[] rolls = {1};
        for (int n = 0; n < dice; n++) {
            long[] longer = new long[rolls.length + 6];
            for (int pips = 0; pips < rolls.length; pips++) {
                for (int face = 1; face <= 6; face++) {
                    longer[pips + face] += rolls[pips];
                }
            }
            rolls = longer;
        }
        return rolls;
    }

    private static double[][] winTable() {
        double[][] table = new double[MAX_DICE + 1][MAX_DICE + 1];
        for (int a = 1; a <= MAX_DICE; a++) {
            for (int d = 1; d <= MAX_DICE; d++) {
                long[] mine = sums(a);
                long[] theirs = sums(d);
                long wins = 0; // At most 6^16.
                long lower = 0;
                for (int pips = 0; pips < mine.length; pips++) {
                    wins += mine[pips] * lower;
                    lower += pips < theirs.length ? theirs[pips] : 0;
                }
                table[a][d] = wins / Math.pow(6, a + d);
            }
        }
        return table;
    }

    /** Returns the probability that the attacker wins, by the dice of both sides, 1 to 8 each. It is exact. */
    public static double winProbability(int attacker, int defender) {
        return WIN[attacker][defender];
    }

    /** Returns the number of the player in a seat: 2 for {@code player-2}. */
    public static int player(String seat) {
        return Integer.parseInt(seat.substring("player-".length()));
    }

    @Override
    public View view(Object json) {
        return View.of(json);
    }

    /** Returns the legal actions of the player to move: attacks, transfers, and the end of the turn. */
    @Override
    public List<Action> legal(View view) {
        List<Action> actions = new ArrayList<>();
        if (view.over != null || view.battle != null || view.reinforcement) {
            return actions;
        }
        attacks(view).forEach(pair -> actions.add(Action.attack(pair.from, pair.to)));
        transfers(view).forEach(pair -> actions.add(Action.transfer(pair.from, pair.to)));
        actions.add(Action.END_TURN);
        return actions;
    }

    /** Returns the attacks of the player to move: from and to, ascending. */
    public List<Pair> attacks(View view) {
        return attacks(view, view.toMove);
    }

    /** Returns the attacks of a player: from and to, ascending. */
    public List<Pair> attacks(View view, int player) {
        List<Pair> found = new ArrayList<>();
        for (int area = 1; area <= view.owners.length; area++) {
            if (view.owner(area) != player || view.diceOn(area) <= 1) {
                continue;
            }
            for (int to : view.neighbours(area)) {
                if (view.owner(to) != player) {
                    found.add(new Pair(area, to));
                }
            }
        }
        return found;
    }

    /** Returns the transfers of the player to move: from and to, ascending. */
    public List<Pair> transfers(View view) {
        List<Pair> found = new ArrayList<>();
        for (int area = 1; area <= view.owners.length && view.transfersLeft > 0; area++) {
            if (view.owner(area) != view.toMove || view.diceOn(area) <= 1) {
                continue;
            }
            for (int to : view.neighbours(area)) {
                if (view.owner(to) == view.toMove && view.diceOn(to) < MAX_DICE) {
                    found.add(new Pair(area, to));
                }
            }
        }
        return found;
    }

    /** Returns the connected regions of a player, the one with the lowest area first, each ascending. */
    public List<int[]> regions(View view, int player) {
        List<int[]> found = new ArrayList<>();
        boolean[] seen = new boolean[view.owners.length + 1];
        int[] region = new int[view.owners.length];
        for (int area = 1; area <= view.owners.length; area++) {
            if (view.owner(area) != player || seen[area]) {
                continue;
            }
            int size = 0;
            region[size++] = area;
            seen[area] = true;
            for (int n = 0; n < size; n++) {
                for (int to : view.neighbours(region[n])) {
                    if (view.owner(to) == player && !seen[to]) {
                        seen[to] = true;
                        region[size++] = to;
                    }
                }
            }
            int[] all = Arrays.copyOf(region, size);
            Arrays.sort(all);
            found.add(all);
        }
        return found;
    }

    /** Returns the largest connected region of a player; if several are largest, the one with the lowest area. */
    public int[] largestRegion(View view, int player) {
        int[] largest = {};
        for (int[] region : regions(view, player)) {
            largest = region.length > largest.length ? region : largest;
        }
        return largest;
    }

    /** Returns the number of dice that a player would get if its turn ended now, including its reserve. */
    public int newDice(View view, int player) {
        return Math.min(view.reserves[player - 1] + view.regions[player - 1], MAX_NEW_DICE);
    }

    /** Returns the view after an attack that was won or lost. */
    public View afterAttack(View view, int from, int to, boolean won) {
        View after = view.copy();
        int attacker = view.owner(from);
        int defender = view.owner(to);
        int dice = view.diceOn(from);
        if (won) {
            after.owners[to - 1] = attacker;
            after.dice[to - 1] = dice - 1;
        } else {
            after.dice[to - 1] = Math.max(view.diceOn(to) - (wear == 0 ? 0 : dice / wear), 1);
        }
        after.dice[from - 1] = 1;
        after.battles++;
        after.quietTurns = 0;
        if (won) {
            after.regions[attacker - 1] = largestRegion(after, attacker).length;
            after.regions[defender - 1] = largestRegion(after, defender).length;
            if (after.regions[defender - 1] == 0) {
                eliminate(after, defender);
            }
        }
        if (after.over == null && maxBattles > 0 && after.battles >= maxBattles) {
            after.over = "max_battles";
        }
        return after;
    }

    private static int open(View view) {
        return (int) Arrays.stream(view.places).filter(place -> place == 0).count();
    }

    private static void eliminate(View view, int player) {
        if (view.places[player - 1] == 0) {
            view.places[player - 1] = open(view);
        }
        if (open(view) == 1) {
            int last = 1;
            while (view.places[last - 1] != 0) {
                last++;
            }
            int survivor = last;
            boolean all = Arrays.stream(view.owners).allMatch(owner -> owner == survivor);
            view.over = all ? "conquest" : "forfeit";
        }
    }

    /** Returns the view after a transfer. */
    public View afterTransfer(View view, int from, int to) {
        View after = view.copy();
        int moved = Math.min(MAX_DICE - view.diceOn(to), view.diceOn(from) - 1);
        after.dice[from - 1] -= moved;
        after.dice[to - 1] += moved;
        after.transfersLeft--;
        after.quietTurns = transfersBreakQuiet ? 0 : after.quietTurns;
        return after;
    }

    /** Returns the view after an attack with a random winner, drawn with the exact probability. */
    public View attackAtRandom(View view, int from, int to, Random random) {
        double chance = winProbability(view.diceOn(from), view.diceOn(to));
        return afterAttack(view, from, to, random.nextDouble() < chance);
    }

    /**
     * Returns the probability that an area of a player with these dice withstands one attack by each neighbour that is
     * another player's and has more than one die.
     */
    public double holdProbability(View view, int area, int dice, int player) {
        double hold = 1.0;
        for (int other : view.neighbours(area)) {
            if (view.owner(other) != player && view.diceOn(other) > 1) {
                hold *= 1.0 - winProbability(view.diceOn(other), dice);
            }
        }
        return hold;
    }
}
