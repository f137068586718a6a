import botyard.AnyBot;
import botyard.Json;
import botyard.Option;
import botyard.Turn;
import java.io.IOException;

/** A bot that does in its choice what its argument says: for ProcessTest. */
public final class Behaves extends AnyBot {
    private static String what = "";

    final Option.Int failsAt = intOption("fails_at", 0, 0, 9, "");

    @Override
    public Object choose(Turn<Object, Object> turn) throws IOException, InterruptedException {
        switch (what) {
            case "println" -> {
                System.out.println("stray");
                System.out.printf("%s%n", "again");
            }
            case "child" -> new ProcessBuilder("echo", "stray")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            case "reads" -> {
                if (System.in.read() >= 0) {
                    throw new IOException("System.in has something to read");
                }
            }
            case "threads" -> {
                Thread[] threads = new Thread[4];
                for (int n = 0; n < threads.length; n++) {
                    threads[n] = new Thread(() -> turn.log("from a thread"));
                    threads[n].start();
                }
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            case "leaves-a-thread" -> new Thread(() -> {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException error) {
                    // Ends.
                }
            }).start();
            case "prints" -> {
                System.out.println("thinking about " + turn.number + " " + Json.write(turn.view) + " " + seed.get());
                turn.log("hm");
                turn.info("score", 0.5);
            }
            default -> {}
        }
        if (what.equals("throws") || turn.number == failsAt.get()) {
            throw new IllegalStateException("lost");
        }
        return 1;
    }

    public static void main(String[] args) {
        what = args.length > 0 ? args[0] : "";
        main(Behaves::new, args);
    }
}
