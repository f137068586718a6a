package botyard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A decision to be made: the {@code turn} message.
 *
 * @param <V> the type of the game's views
 * @param <A> the type of the game's actions
 */
public final class Turn<V, A> {
    /** The whole message. */
    public final Map<String, Object> message;

    /** The game. */
    public final Game game;

    /** The number of this decision in the game, from 1, over all seats. */
    public final int number;

    /** The seat to move: one of {@code game.you}. */
    public final String seat;

    /** All that the seat may know now. */
    public final V view;

    /** The seat's clock. */
    public final Clock clock;

    final Map<String, Object> info = new LinkedHashMap<>();
    private final Function<Object, A> readAction;
    private final long seed;
    private final Consumer<String> log;
    private Random random;
    private List<Object> legal;

    Turn(Map<String, Object> turn, Game game, Bot<V, A> bot, Clock clock, Consumer<String> log) {
        message = turn;
        this.game = game;
        number = Json.integer(turn, "turn", 0);
        seat = Json.text(turn, "seat", "");
        view = bot.readView(turn.get("view"));
        this.clock = clock;
        readAction = bot::readAction;
        seed = bot.seed.get();
        this.log = log;
    }

    List<Object> legalJson() {
        if (legal == null && message.get("legal") != null) {
            legal = Json.list(message, "legal");
        }
        if (legal == null) {
            Rulebook<?, ?> book = game.rulebook();
            if (book == null) {
                throw new NoLegalActions("the match sends no legal actions, and the kit has no rules of '" + game.name
                        + "': play without --no-legal");
            }
            legal = book.legalJson(message.get("view"));
        }
        return legal;
    }

    /** Returns the list of legal actions in the message; {@code null} if the match sends none ({@code --no-legal}). */
    public List<A> legal() {
        return message.get("legal") == null ? null : legalActions();
    }

    /**
     * Returns every legal action, in a new list: that of the message, or generated from the view by the kit. Throws
     * {@link NoLegalActions} if the match sends no list and the kit cannot generate it.
     */
    public List<A> legalActions() {
        List<A> actions = new ArrayList<>();
        legalJson().forEach(action -> actions.add(readAction.apply(action)));
        return actions;
    }

    /**
     * Returns the seconds until the referee's deadline, without a margin: see {@link Clock#left}. The clock stops when
     * the referee has read the answer, so keep 0.02 to 0.05 s back.
     */
    public double timeLeft() {
        return clock.left();
    }

    /** Returns the seconds of {@link Clock#share} that are left for this decision, with its margin. */
    public double timeShare(int decisions) {
        return clock.share(decisions) - clock.elapsed();
    }

    /** Returns the seconds to use for this decision alone. */
    public double timeShare() {
        return timeShare(1);
    }

    /**
     * Returns the random number generator of this decision. It is seeded from the option {@code seed}, the game's id,
     * your seats and the number of the decision, so a decision can be reproduced from a replay, while the games of a
     * match differ.
     */
    public Random random() {
        if (random == null) {
            String text = seed + "/" + game.gameId + "/" + String.join(",", game.you) + "/" + number;
            long hash = 0xcbf29ce484222325L; // FNV-1a
            for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
                hash = (hash ^ (octet & 0xff)) * 0x100000001b3L;
            }
            random = new Random(hash ^ hash >>> 32); // It uses 48 bits.
        }
        return random;
    }

    /** Returns one of the items at random; there must be one. */
    public <T> T choice(List<T> items) {
        return items.get(random().nextInt(items.size()));
    }

    /** Writes a line to the game's log, immediately. */
    public void log(Object text) {
        log.accept(String.valueOf(text));
    }

    /**
     * Adds to the {@code info} of the answer, which the replay keeps. By convention: {@code score}, how good the
     * position is; {@code depth}, plies; {@code nodes}, positions or playouts; {@code pv}, expected actions; {@code
     * text}.
     */
    public Turn<V, A> info(String name, Object value) {
        info.put(name, value);
        return this;
    }

    /**
     * Draws on the board, for the page of the game: a circle around the place {@code point}, or a {@code line} or an
     * {@code arrow} through two places or more, perhaps with a {@code color} and a {@code text}. Places are named as in
     * the game: {@code turn.draw(Map.of("arrow", List.of(11, 15), "color", "red"))}.
     */
    public Turn<V, A> draw(Map<String, ?> mark) {
        List<Object> marks = new ArrayList<>();
        if (info.get("draw") instanceof List<?> before) {
            marks.addAll(before);
        }
        marks.add(mark);
        return info("draw", marks);
    }
}
