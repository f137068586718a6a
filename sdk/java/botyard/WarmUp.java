package botyard;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * Plays a few decisions of no game before the first message. Java loads a class when it is first used and compiles what
 * is used often, so without this the kit's own part of the first decision would take some 50 ms.
 */
final class WarmUp extends AnyBot {
    private WarmUp() {}

    @Override
    public Object choose(Turn<Object, Object> turn) {
        turn.log("a line");
        turn.info("score", turn.timeShare(30)).info("depth", turn.number).info("pv", List.of(1, "2"));
        return turn.timeLeft() < 0 ? turn.legalActions().get(0) : turn.choice(turn.legalActions());
    }

    static void run() throws Exception {
        Session session = new Session(WarmUp::new, line -> {}, new PrintStream(OutputStream.nullOutputStream()));
        long end = System.nanoTime() + 100_000_000;
        for (int n = 0; n < 200 && System.nanoTime() < end; n++) {
            String clock = "{\"kind\":\"" + (n % 2 == 0 ? "cpu" : "wall") + "\",\"move_ms\":1000,\"bank_ms\":60000}";
            session.handle("{\"type\":\"start\",\"game_id\":\"1\",\"you\":[\"a\"],\"time\":" + clock + "}");
            session.handle("{\"type\":\"turn\",\"turn\":1,\"seat\":\"a\",\"view\":{\"x\":[1,-2.5,true,null,\"text\"]},"
                    + "\"legal\":[{\"to\":1},{\"to\":2},\"11-15\"],\"clock\":" + clock + "}");
        }
    }
}
