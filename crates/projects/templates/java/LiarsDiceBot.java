import botyard.Game;
import botyard.LiarsDice;
import botyard.LiarsDice.Action;
import botyard.LiarsDice.Bid;
import botyard.LiarsDice.View;
import botyard.Turn;
import java.util.Comparator;
import java.util.List;

/**
 * Plays Liar's Dice by the probability of each bid, given its own dice.
 *
 * <p>It makes the bid that is most probably true, or calls the last bid a lie if that is more probable.
 */
public class LiarsDiceBot extends LiarsDice.Bot {
    private LiarsDice rules;

    public LiarsDiceBot() {
        name = "counter";
        games = List.of("liars-dice");
    }

    @Override
    public void start(Game game) {
        rules = new LiarsDice(game.rules);
    }

    @Override
    public Action choose(Turn<View, Action> turn) {
        return turn.legalActions().stream()
                .max(Comparator.comparingDouble(action -> chance(turn.view, action)))
                .orElseThrow();
    }

    /** Returns the probability that an action is right. */
    private double chance(View view, Action action) {
        Bid bid = action.bid();
        if (bid != null) {
            return rules.truth(view, bid.count(), bid.face());
        }
        Bid last = view.bid();
        return last == null ? 0 : 1 - rules.truth(view, last.count(), last.face());
    }

    public static void main(String[] args) {
        main(LiarsDiceBot::new, args);
    }
}
