import botyard.DiceWars;
import botyard.DiceWars.Action;
import botyard.DiceWars.Pair;
import botyard.DiceWars.View;
import botyard.Game;
import botyard.Option;
import botyard.Turn;
import java.util.Arrays;
import java.util.List;

/**
 * Plays Dice Wars by one rule, that of the bot dw-stei.
 *
 * <p>It makes the attack that it most probably wins and then holds until its next turn, if that is likely enough.
 * Attacks from its largest region count more, because that region brings the new dice.
 */
public class DiceWarsRule extends DiceWars.Bot {
    final Option.Real least =
            floatOption("least", 0.4, 0.0, 1.0, "the least probability to win and hold, with three players or more");
    final Option.Flag transfers = boolOption("transfers", true, "bring dice to the border before attacks");

    private DiceWars rules;
    private int players;

    public DiceWarsRule() {
        name = "rule";
        games = List.of("dice-wars");
    }

    @Override
    public void start(Game game) {
        rules = new DiceWars(game.rules);
        players = game.seats.size();
    }

    @Override
    public Action choose(Turn<View, Action> turn) {
        View view = turn.view;
        int me = DiceWars.player(turn.seat);
        Pair transfer = transfers.get() ? toTheBorder(view, me) : null;
        if (transfer != null) {
            return Action.transfer(transfer.from(), transfer.to());
        }
        double atLeast = players == 2 ? 0.2 : least.get();
        double weight = players == 2 ? 3.0 : 2.0;
        int[] region = rules.largestRegion(view, me);
        double most = -1;
        Action best = Action.END_TURN;
        for (Pair pair : rules.attacks(view)) {
            int dice = view.diceOn(pair.from());
            double chance = DiceWars.winProbability(dice, view.diceOn(pair.to()))
                    * rules.holdProbability(view, pair.to(), dice - 1, me);
            boolean inside = Arrays.binarySearch(region, pair.from()) >= 0;
            double worth = chance * (inside ? weight : 1.0);
            if ((chance >= atLeast || dice == DiceWars.MAX_DICE) && worth >= most) {
                most = worth;
                best = Action.attack(pair.from(), pair.to());
            }
        }
        if (most >= 0) {
            turn.info("score", most);
        }
        return best;
    }

    /** Returns the transfer that brings most dice to the border, at least two; {@code null} if there is none. */
    private Pair toTheBorder(View view, int me) {
        int most = 2;
        Pair best = null;
        for (Pair pair : rules.transfers(view)) {
            int moved = Math.min(DiceWars.MAX_DICE - view.diceOn(pair.to()), view.diceOn(pair.from()) - 1);
            if (moved >= most && !atBorder(view, pair.from(), me) && atBorder(view, pair.to(), me)) {
                most = moved;
                best = pair;
            }
        }
        return best;
    }

    private static boolean atBorder(View view, int area, int me) {
        return Arrays.stream(view.neighbours(area)).anyMatch(to -> view.owner(to) != me);
    }

    public static void main(String[] args) {
        main(DiceWarsRule::new, args);
    }
}
