import botyard.AnyBot;
import botyard.Turn;

/** Plays every game, choosing any of the legal actions. The smallest bot. */
public class Legal extends AnyBot {
    @Override
    public Object choose(Turn<Object, Object> turn) {
        return turn.choice(turn.legalActions());
    }

    public static void main(String[] args) {
        main(Legal::new, args);
    }
}
