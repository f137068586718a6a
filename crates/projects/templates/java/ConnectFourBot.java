import botyard.ConnectFour;
import botyard.ConnectFour.Action;
import botyard.ConnectFour.View;
import botyard.Turn;
import java.util.Comparator;
import java.util.List;

/**
 * Plays Connect Four, looking one disc ahead.
 *
 * <p>It completes a line of four, prevents the other side's, and otherwise prefers columns near the middle.
 */
public class ConnectFourBot extends ConnectFour.Bot {
    private final ConnectFour rules = new ConnectFour();

    public ConnectFourBot() {
        name = "dropper";
        games = List.of("connect-four");
    }

    @Override
    public Action choose(Turn<View, Action> turn) {
        return turn.legalActions().stream()
                .max(Comparator.comparingInt(action -> score(turn.view, action)))
                .orElseThrow();
    }

    /** Returns how good a column is: the higher, the better. */
    private int score(View view, Action action) {
        // The same column for the other side, which moves when `discs` is odd.
        View theirs = new View(view.columns(), view.discs() + 1, null);
        if ("four_in_line".equals(rules.play(view, action).end())) {
            return 20;
        }
        if ("four_in_line".equals(rules.play(theirs, action).end())) {
            return 10;
        }
        return -Math.abs(action.column() - (ConnectFour.COLUMNS + 1) / 2);
    }

    public static void main(String[] args) {
        main(ConnectFourBot::new, args);
    }
}
