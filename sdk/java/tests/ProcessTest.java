import static botyard.Json.object;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A bot as a program: its streams, its exit code, and recorded games. */
public final class ProcessTest {
    private static String program;

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Kit.Done play(String what, Map<String, Object>... more) throws Exception {
        List<Map<String, Object>> messages =
                new ArrayList<>(List.of(Kit.HELLO, Kit.start(), Kit.turn(1, List.of(1))));
        messages.addAll(List.of(more));
        return Kit.process(program + " " + what, Kit.lines(messages));
    }

    static void strayOutputGoesToStandardError() throws Exception {
        Kit.Done done = play("println", Kit.QUIT);
        Kit.equal(done.code(), 0);
        Kit.equal(Kit.parsed(done.out()).size(), 3);
        Kit.has(done.err(), "stray\nagain\n");
        Kit.equal(done.err().split("standard output belongs to the protocol", -1).length, 2);
        Kit.equal(Kit.parsed(play("child", Kit.QUIT).out()).size(), 3);
    }

    static void nothingElseReadsTheProtocol() throws Exception {
        Kit.Done done = play("reads", Kit.turn(2, List.of(1)), Kit.QUIT);
        Kit.equal(Kit.parsed(done.out()).size(), 4);
        Kit.equal(done.code(), 0);
    }

    static void threads() throws Exception {
        Kit.equal(Kit.parsed(play("threads").out()).size(), 7);
        Kit.equal(play("leaves-a-thread", Kit.QUIT).code(), 0);
    }

    static void exitCodes() throws Exception {
        Kit.Done thrown = play("throws");
        Kit.equal(thrown.code(), 1);
        Kit.has(thrown.err(), "behaves: turn 1: choose() failed:\njava.lang.IllegalStateException: lost\n\tat Behaves.choose");
        Kit.equal(play("").code(), 0);
        Map<String, Object> wrong = Kit.start("any", "options", object("depth", 1));
        Kit.Done option = Kit.process(program, Kit.lines(List.of(Kit.HELLO, wrong)));
        Kit.equal(option.code(), 1);
        Kit.equal(option.err(), "botyard: there is no option depth; the options of this bot are: fails_at, seed\n");
        // The reader is gone: the bot exits without a message.
        String pipe = "( cat; sleep 1; echo '{\"type\":\"hello\"}' ) | ( " + program + "; echo $? >&2 ) | head -n 1";
        Kit.equal(Kit.process(pipe, Kit.lines(List.of(Kit.HELLO))).err(), "0\n");
    }

    static void answersAreFlushedOneByOne() throws Exception {
        // Each message is sent when the answer to the one before it has arrived.
        String script = "d=$(mktemp -d); mkfifo $d/in $d/out; " + program + " <$d/in >$d/out & exec 3>$d/in 4<$d/out; "
                + "while read -r line; do echo \"$line\" >&3; timeout 5 head -n 1 <&4; done; exec 3>&-; rm -r $d; wait";
        Kit.Done done = Kit.process(script, Kit.lines(List.of(Kit.HELLO, Kit.start(), Kit.turn(1, List.of(1)))));
        Kit.equal(Kit.parsed(done.out()).size(), 3);
    }

    static void replays() throws Exception {
        Path place = Files.createTempDirectory("botyard-kit");
        List<Integer> legal = List.of(1, 2);
        Files.writeString(place.resolve("lines.ndjson"), Kit.lines(List.of(
                Kit.HELLO, Kit.start("any", "options", object("seed", 3)),
                Kit.turn(1, legal, "view", object("n", 1)), Kit.turn(3, legal), Kit.end(), Kit.QUIT)));
        Files.writeString(place.resolve("game.ndjson"), """
                {"type":"header","game_id":"7-1"}
                {"type":"chance","turn":0,"outcome":{}}
                {"type":"move","turn":1,"seat":"a","action":1}
                {"type":"move","turn":2,"seat":"b","action":5}
                {"type":"move","turn":3,"seat":"a","action":2}
                """);
        // A stand-in for botyard.
        Files.writeString(place.resolve("botyard"),
                "#!/bin/sh\n[ \"$1 $2 $4 $5\" = 'replay stdin --seat a' ] && cat " + place + "/lines.ndjson\n");
        Kit.process("chmod +x " + place + "/botyard; gzip -k " + place + "/game.ndjson", "");
        String replay = program + " prints --replay " + place + "/";
        for (String name : List.of("game.ndjson", "game.ndjson.gz")) {
            Kit.Done done = Kit.process("BOTYARD=" + place + "/botyard " + replay + name + " --seat a", "");
            Kit.equal(done.code(), 0, done.err());
            for (String part : List.of(
                    "thinking about 1 {\"n\":1} 3\n", "  log: hm\n", "turn 1: 1  as recorded  (0.",
                    "turn 3: 1  recorded: 2", "  info: {\"score\":0.5}\n", "2 decisions, 1 differ from the record\n")) {
                Kit.has(done.out(), part);
            }
        }
        Kit.Done named = Kit.process(replay + "game.ndjson --seat=a --botyard " + place + "/botyard", "");
        Kit.has(named.out(), "2 decisions, 1 differ");
        Kit.Done one = Kit.process(replay + "lines.ndjson --turn 3 --option seed=8", "");
        Kit.has(one.out(), "thinking about 3 {} 8");
        Kit.has(one.out(), "1 decisions\n");
        Kit.check(!one.out().contains("about 1"), "one decision");
        Kit.Done missing = Kit.process(replay + "lines.ndjson --turn 2", "");
        Kit.equal(missing.code(), 1);
        Kit.has(missing.err(), "there is no decision 2 of this seat: its first is ");
        Kit.Done failing = Kit.process(replay + "lines.ndjson --option fails_at=3", "");
        Kit.equal(failing.code(), 1);
        Kit.has(failing.err(), "turn 3: choose() failed:\njava.lang.IllegalStateException: lost");
        Kit.Done unknown = Kit.process("unset BOTYARD; PATH=/nowhere " + replay + "game.ndjson --seat a", "");
        Kit.equal(unknown.code(), 1);
        Kit.has(unknown.err(), "--botyard PATH");
        Kit.process("rm -r " + place, "");
    }

    public static void main(String[] args) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        program = java + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp " + System.getProperty("java.class.path") + " Behaves";
        strayOutputGoesToStandardError();
        nothingElseReadsTheProtocol();
        threads();
        exitCodes();
        answersAreFlushedOneByOne();
        replays();
        Kit.finish("ProcessTest");
    }
}
