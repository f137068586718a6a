import botyard.Draughts;
import botyard.Draughts.Position;
import botyard.Draughts.View;
import botyard.Game;
import botyard.Option;
import botyard.Turn;
import java.util.Collections;
import java.util.List;

/** Plays English draughts by a search of two plies: its own moves and every answer, and captures beyond them. */
public class DraughtsTwoPly extends Draughts.Bot {
    private static final int WON = 10_000;

    final Option.Int depth = intOption("depth", 2, 1, 12, "plies to search");

    private Draughts rules;
    private long nodes;

    public DraughtsTwoPly() {
        name = "two-ply";
        games = List.of("draughts");
    }

    @Override
    public void start(Game game) {
        rules = new Draughts(game.rules);
    }

    @Override
    public String choose(Turn<View, String> turn) {
        Position now = Draughts.position(turn.view);
        List<String> actions = turn.legalActions();
        if (actions.size() == 1) {
            return actions.get(0);
        }
        nodes = 0;
        Collections.shuffle(actions, turn.random()); // Equal moves are played in random order.
        String best = null;
        int most = -WON - 1;
        for (String action : actions) {
            int value = -search(rules.play(now, action), depth.asInt() - 1, -WON, WON);
            best = value > most ? action : best;
            most = Math.max(most, value);
        }
        turn.info("score", most).info("depth", depth.get()).info("nodes", nodes);
        return best;
    }

    /** Returns the value of a position for the side to move, by alpha-beta. */
    private int search(Position now, int depth, int alpha, int beta) {
        nodes++;
        // A position in the middle of an exchange is not evaluated: captures are searched to their end.
        List<String> moves = depth > 0 ? rules.moves(now) : rules.captures(now);
        if (moves.isEmpty()) {
            return depth > 0 ? -WON : evaluate(now);
        }
        for (String move : moves) {
            alpha = Math.max(alpha, -search(rules.play(now, move), depth - 1, -beta, -alpha));
            if (alpha >= beta) {
                break;
            }
        }
        return alpha;
    }

    /** Returns the material and how far men have come, for the side to move. */
    private static int evaluate(Position now) {
        int value = 0;
        for (int index = 0; index < 32; index++) {
            int row = index / 4;
            value += switch (now.board().charAt(index)) {
                case 'b' -> 100 + row;
                case 'B' -> 160;
                case 'w' -> -(100 + 7 - row);
                case 'W' -> -160;
                default -> 0;
            };
        }
        return now.toMove().equals(Draughts.BLACK) ? value : -value;
    }

    public static void main(String[] args) {
        main(DraughtsTwoPly::new, args);
    }
}
