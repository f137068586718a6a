package botyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * English draughts: the types of its views, a move generator and FEN. An action is a move in PDN with every landing
 * square: {@code 11-15}, {@code 22x15x8}.
 *
 * <p>This class is the game under one set of rules. A {@link Position} is the board and the side to move; it is what a
 * search works on. The rules and the JSON are described in {@code docs/games/draughts.md}.
 */
public final class Draughts extends Rulebook<Draughts.View, String> {
    /** A side. */
    public static final String BLACK = "black";

    /** A side. */
    public static final String WHITE = "white";

    /** An empty square. */
    public static final char EMPTY = '.';

    /** The position in which a game begins. */
    public static final Position START = new Position("b".repeat(12) + ".".repeat(8) + "w".repeat(12), BLACK);

    /**
     * The whole state; both seats have the same view. {@code toMove} is null when the game is over, and {@code over},
     * the reason, before that.
     */
    public record View(
            String toMove,
            String fen,
            String board,
            int ply,
            int quietPlies,
            List<String> quietMoves,
            int repetitions,
            String over) {
        static View of(Object json) {
            return new View(
                    Json.text(json, "to_move", null),
                    Json.text(json, "fen", ""),
                    Json.text(json, "board", ""),
                    Json.integer(json, "ply", 0),
                    Json.integer(json, "quiet_plies", 0),
                    Json.texts(Json.field(json, "quiet_moves")),
                    Json.integer(json, "repetitions", 0),
                    Json.text(json, "over", null));
        }
    }

    /**
     * A board as 32 letters, square 1 first ({@code b} and {@code w} men, {@code B} and {@code W} kings, {@code .}
     * empty), and the side to move. Square n is {@code board.charAt(n - 1)}.
     */
    public record Position(String board, String toMove) {}

    /** A bot of this game. */
    public abstract static class Bot extends botyard.Bot<View, String> {
        @Override
        protected View readView(Object json) {
            return View.of(json);
        }

        @Override
        protected String readAction(Object json) {
            return (String) json;
        }
    }

    /** In each direction (two down, two up), from each square, from 0: the neighbour; -1 off the board. */
    private static final int[][] NEAR = new int[32][4];

    /** The square behind the neighbour. */
    private static final int[][] BEHIND = new int[32][4];

    static {
        int[][] directions = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
        for (int index = 0; index < 32; index++) {
            for (int n = 0; n < 4; n++) {
                NEAR[index][n] = at(index, directions[n][0], directions[n][1]);
                BEHIND[index][n] = at(index, 2 * directions[n][0], 2 * directions[n][1]);
            }
        }
    }

    private final boolean onePiece;
    private final boolean promotionEndsMove;
    private final boolean compulsory;
    private final int drawRepetitions;
    private final int drawQuietPlies;
    private final int maxPlies;

    /** Prepares the game with the rules of a {@code start} message. */
    public Draughts(Map<String, Object> rules) {
        onePiece = Json.text(rules, "jump", "whole_path").equals("one_piece");
        promotionEndsMove = Json.flag(rules, "promotion_ends_move", true);
        compulsory = Json.flag(rules, "compulsory_capture", true);
        drawRepetitions = Json.integer(rules, "draw_repetitions", 3);
        drawQuietPlies = Json.integer(rules, "draw_quiet_plies", 80);
        maxPlies = Json.integer(rules, "max_plies", 1000);
    }

    /** Prepares English draughts. */
    public Draughts() {
        this(Map.of());
    }

    private static int at(int index, int rows, int columns) {
        int row = index / 4 + rows;
        int column = 2 * (index % 4) + (index / 4 + 1) % 2 + columns;
        return row >= 0 && row < 8 && column >= 0 && column < 8 ? 4 * row + column / 2 : -1;
    }

    private static boolean isFar(char piece, int index) {
        return Character.toLowerCase(piece) == 'b' ? index >= 28 : index < 4;
    }

    private static int firstDirection(char piece) {
        return piece == 'w' ? 2 : 0;
    }

    private static int lastDirection(char piece) {
        return piece == 'b' ? 1 : 3;
    }

    @Override
    public View view(Object json) {
        return View.of(json);
    }

    /** Returns the legal actions of a view, in no particular order. */
    @Override
    public List<String> legal(View view) {
        return view.toMove == null ? List.of() : moves(position(view));
    }

    /**
     * Returns the legal moves of a position, captures first; none if the side to move has lost. Draws by the number of
     * plies or repetitions are not considered: see {@link #drawAfter}.
     */
    public List<String> moves(Position position) {
        List<String> found = captures(position);
        if (!found.isEmpty() && compulsory) {
            return found;
        }
        String board = position.board;
        char side = position.toMove.charAt(0);
        for (int index = 0; index < 32; index++) {
            char piece = board.charAt(index);
            if (Character.toLowerCase(piece) != side) {
                continue;
            }
            for (int n = firstDirection(piece); n <= lastDirection(piece); n++) {
                int near = NEAR[index][n];
                if (near >= 0 && board.charAt(near) == EMPTY) {
                    found.add((index + 1) + "-" + (near + 1));
                }
            }
        }
        return found;
    }

    /** Returns the moves of a position that capture, whether or not they are compulsory. */
    public List<String> captures(Position position) {
        List<String> found = new ArrayList<>();
        char[] board = position.board.toCharArray();
        char side = position.toMove.charAt(0);
        char other = side == 'b' ? 'w' : 'b';
        for (int index = 0; index < 32; index++) {
            char piece = board[index];
            if (Character.toLowerCase(piece) == side) {
                // The piece's own square is empty, so a king may return to it.
                board[index] = EMPTY;
                jump(board, piece, other, index, String.valueOf(index + 1), 0, found);
                board[index] = piece;
            }
        }
        return found;
    }

    /** {@code over} has a bit for each captured piece. */
    private void jump(char[] board, char piece, char other, int at, String path, int over, List<String> found) {
        boolean through = true;
        for (int n = firstDirection(piece); n <= lastDirection(piece); n++) {
            int near = NEAR[at][n];
            int to = BEHIND[at][n];
            // Captured pieces stay until the move ends: they block, and cannot be jumped again.
            boolean jumps = to >= 0
                    && Character.toLowerCase(board[near]) == other
                    && (over >> near & 1) == 0
                    && board[to] == EMPTY;
            if (!jumps) {
                continue;
            }
            through = false;
            boolean crowned = Character.isLowerCase(piece) && isFar(piece, to);
            String longer = path + "x" + (to + 1);
            if (onePiece || crowned && promotionEndsMove) {
                found.add(longer);
            } else {
                char now = crowned ? Character.toUpperCase(piece) : piece;
                jump(board, now, other, to, longer, over | 1 << near, found);
            }
        }
        if (through && over != 0) {
            found.add(path);
        }
    }

    /** Returns the position after a legal move. */
    public Position play(Position position, String move) {
        char[] board = position.board.toCharArray();
        int[] squares = squares(move);
        char piece = board[squares[0]];
        board[squares[0]] = EMPTY;
        for (int square : captured(move)) {
            board[square - 1] = EMPTY;
        }
        for (int n = 1; n < squares.length; n++) {
            piece = isFar(piece, squares[n]) ? Character.toUpperCase(piece) : piece;
        }
        board[squares[squares.length - 1]] = piece;
        return new Position(new String(board), other(position.toMove));
    }

    private static String other(String side) {
        return side.equals(BLACK) ? WHITE : BLACK;
    }

    /** Returns how often the position after a legal move will have occurred in the game; 1 if it is new. */
    public int repetitionsAfter(View view, String move) {
        return 1 + Collections.frequency(history(view), play(position(view), move));
    }

    /**
     * Returns the reason if a legal move ends the game in a draw: {@code repetition}, {@code quiet_plies} or
     * {@code max_plies}; null if it does not, also if it wins.
     */
    public String drawAfter(View view, String move) {
        Position now = position(view);
        if (moves(play(now, move)).isEmpty()) {
            return null;
        }
        if (drawRepetitions > 0 && repetitionsAfter(view, move) >= drawRepetitions) {
            return "repetition";
        }
        if (drawQuietPlies > 0 && isQuiet(now, move) && view.quietPlies + 1 >= drawQuietPlies) {
            return "quiet_plies";
        }
        return view.ply + 1 >= maxPlies ? "max_plies" : null;
    }

    /**
     * Returns the number of plies after which the game is drawn unless one of them captures or moves a man. The last
     * plies before {@code max_plies} are counted too, whatever is played in them.
     */
    public int pliesLeft(View view) {
        int left = maxPlies - view.ply;
        return drawQuietPlies > 0 ? Math.min(left, drawQuietPlies - view.quietPlies) : left;
    }

    /** Returns whether a legal move is a step of a king: one that can be undone, and counts towards a draw. */
    public static boolean isQuiet(Position position, String move) {
        return move.indexOf('x') < 0 && Character.isUpperCase(position.board.charAt(squares(move)[0]));
    }

    /**
     * Returns the positions since the last capture or man's move, or since the opening, oldest first; the last one is
     * the position of the view. No earlier position can occur again.
     */
    public static List<Position> history(View view) {
        Position now = position(view);
        List<Position> found = new ArrayList<>(List.of(now));
        for (int n = view.quietMoves.size() - 1; n >= 0; n--) {
            int[] squares = squares(view.quietMoves.get(n));
            char[] board = now.board.toCharArray();
            board[squares[0]] = board[squares[1]];
            board[squares[1]] = EMPTY;
            now = new Position(new String(board), other(now.toMove));
            found.add(now);
        }
        Collections.reverse(found);
        return found;
    }

    /** The squares that a move names, from 0. */
    private static int[] squares(String move) {
        return Arrays.stream(move.split("[-x]")).mapToInt(text -> Integer.parseInt(text) - 1).toArray();
    }

    /** Returns the squares that a move jumps over, in order; none for a step. */
    public static List<Integer> captured(String move) {
        List<Integer> over = new ArrayList<>();
        if (move.indexOf('x') < 0) {
            return over;
        }
        int[] squares = squares(move);
        for (int n = 0; n + 1 < squares.length; n++) {
            for (int direction = 0; direction < 4; direction++) {
                if (BEHIND[squares[n]][direction] == squares[n + 1]) {
                    over.add(NEAR[squares[n]][direction] + 1);
                }
            }
        }
        return over;
    }

    /** Returns the position of a view; when the game is over, with the side that would move. */
    public static Position position(View view) {
        return new Position(view.board, view.toMove != null ? view.toMove : positionOfFen(view.fen).toMove);
    }

    /** Returns the position of a FEN such as {@code B:W18,K10:BK5,1-4}. */
    public static Position positionOfFen(String fen) {
        char[] board = ".".repeat(32).toCharArray();
        String[] parts = fen.replaceAll("\\.+$", "").split(":");
        for (int n = 1; n < parts.length; n++) {
            char man = Character.toLowerCase(parts[n].charAt(0));
            for (String text : parts[n].substring(1).split(",")) {
                if (text.isEmpty()) {
                    continue;
                }
                boolean king = text.startsWith("K");
                String[] ends = text.replace("K", "").split("-");
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int square = Integer.parseInt(ends[0]); square <= last; square++) {
                    board[square - 1] = king ? Character.toUpperCase(man) : man;
                }
            }
        }
        return new Position(new String(board), parts[0].equals("B") ? BLACK : WHITE);
    }

    /** Returns the FEN of a position, as the referee writes it. */
    public static String fen(Position position) {
        StringBuilder text = new StringBuilder(position.toMove.equals(BLACK) ? "B" : "W");
        for (char man : new char[] {'w', 'b'}) {
            List<String> squares = new ArrayList<>();
            for (int index = 0; index < 32; index++) {
                char piece = position.board.charAt(index);
                if (Character.toLowerCase(piece) == man) {
                    squares.add((piece == man ? "" : "K") + (index + 1));
                }
            }
            text.append(':').append(Character.toUpperCase(man)).append(String.join(",", squares));
        }
        return text.toString();
    }
}
