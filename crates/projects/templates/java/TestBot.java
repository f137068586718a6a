import botyard.Json;
import java.io.File;
import java.nio.file.Files;
import java.util.List;

/** Asks the bot for a first move: {@code java -cp classes TestBot.java}. */
public class TestBot {
    public static void main(String[] args) throws Exception {
        File lines = new File("first_move.ndjson");
        Process bot = new ProcessBuilder("java", "-cp", "classes", "{{class}}")
                .redirectInput(lines)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> answers = new String(bot.getInputStream().readAllBytes()).lines().toList();
        if (bot.waitFor() != 0) {
            throw new AssertionError("the bot exited with code " + bot.exitValue());
        }
        Object action = Json.field(find(answers, "move"), "action");
        List<Object> legal = Json.list(find(Files.readAllLines(lines.toPath()), "turn"), "legal");
        if (legal.stream().noneMatch(one -> Json.same(one, action))) {
            throw new AssertionError("not legal: " + Json.write(action));
        }
        System.out.println("the first move is legal");
    }

    private static Object find(List<String> lines, String type) {
        return lines.stream()
                .map(Json::parse)
                .filter(message -> type.equals(Json.text(message, "type", "")))
                .findFirst()
                .orElseThrow();
    }
}
