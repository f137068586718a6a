import botyard.Game;
import botyard.Json;
import botyard.Option;
import botyard.ScotlandYard;
import botyard.ScotlandYard.Action;
import botyard.ScotlandYard.LogEntry;
import botyard.ScotlandYard.Ticket;
import botyard.ScotlandYard.View;
import botyard.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Plays both sides of Scotland Yard by one look ahead.
 *
 * <p>Detectives step to where the mean distance to Mr. X's candidates is least. Mr. X steps to where the detectives are
 * far away and where he has many candidates.
 */
public class Detective extends ScotlandYard.Bot {
    /** The distance of unreachable stations. */
    private static final double FAR = 20;

    final Option.Real safety = floatOption("safety", 1.0, 0.0, 10.0, "weight of the nearest detective for Mr. X");

    private ScotlandYard yard;

    public Detective() {
        games = List.of("scotland-yard");
    }

    @Override
    public void start(Game game) {
        yard = new ScotlandYard(game.rules, game.setup);
        yard.distances(1); // Computes the tables before the clock runs.
    }

    @Override
    public Action choose(Turn<View, Action> turn) {
        Set<Integer> candidates = yard.candidates(turn.view);
        boolean flees = turn.seat.equals("mr-x");
        if (!flees) {
            turn.info("text", candidates.size() + " stations left");
        }
        List<Action> best = new ArrayList<>();
        double most = Double.NEGATIVE_INFINITY;
        for (Action action : turn.legalActions()) {
            double score = flees
                    ? scoreOfFlight(turn.view, action, candidates)
                    : scoreOfChase(turn.view, action, candidates);
            if (score > most) {
                best.clear();
                most = score;
            }
            if (score == most) {
                best.add(action);
            }
        }
        turn.info("score", most);
        return turn.choice(best);
    }

    /** Returns how near the detective comes to where Mr. X can be; to step there counts most. */
    private double scoreOfChase(View view, Action action, Set<Integer> candidates) {
        ScotlandYard.Detective detective = view.detectives().get(action.detective() - 1);
        boolean able = detective.tickets() == null || detective.tickets().spent(action.ticket()).sum() > 0;
        double score = 0;
        for (int station : candidates) {
            score += station == action.to() ? 2.0 * candidates.size() : 0;
            score += away(detective.station(), station, true) - away(action.to(), station, able);
        }
        return score / candidates.size();
    }

    /**
     * Returns how safe a station is for Mr. X: how far the nearest detectives are, and how many stations they must
     * search. Black and double tickets are kept for when he needs them.
     */
    private double scoreOfFlight(View view, Action action, Set<Integer> before) {
        List<Integer> detectives = new ArrayList<>();
        double nearest = FAR;
        double sum = 0;
        for (ScotlandYard.Detective detective : view.detectives()) {
            double distance = away(detective.station(), action.to(), true);
            nearest = Math.min(nearest, distance);
            sum += distance;
            detectives.add(detective.station());
        }
        int number = view.log().size() + 1;
        boolean shown = Json.list(yard.rules, "reveals").contains((long) number);
        LogEntry entry = new LogEntry(action.ticket(), action.to(), shown, detectives);
        int hidden = yard.candidatesAfter(before, entry).size();
        double score = safety.get() * Math.min(nearest, 4) + 0.2 * sum / detectives.size();
        score += 0.05 * Math.min(hidden, 30);
        score += 0.03 * yard.neighbours(action.to()).size();
        score -= nearest <= 1 ? 5.0 : 0.0;
        score -= action.ticket() == Ticket.BLACK && number <= 2 ? 1.0 : 0.0;
        return score - (action.double_() ? 1.5 : 0.0);
    }

    /** Returns the distance of two stations; far for a detective off the board or without tickets. */
    private double away(Integer from, int to, boolean able) {
        if (from == null || !able && from != to) {
            return FAR;
        }
        int steps = yard.distances(from)[to];
        return steps < 0 ? FAR : steps;
    }

    public static void main(String[] args) {
        main(Detective::new, args);
    }
}
