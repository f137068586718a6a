package botyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Connect Four: the types of its views and actions, legal actions, and dropping a disc.
 *
 * <p>The rules and the JSON are described in {@code docs/games/connect-four.md}.
 */
public final class ConnectFour extends Rulebook<ConnectFour.View, ConnectFour.Action> {
    /** The size of the board. */
    public static final int COLUMNS = 7;

    /** The size of the board. */
    public static final int ROWS = 6;

    /** Yellow's disc. */
    public static final char YELLOW = 'x';

    /** Red's disc. */
    public static final char RED = 'o';

    /** An empty cell. */
    public static final char EMPTY = '.';

    /** A disc in a column, from 1 (left) to 7 (right). */
    public record Action(int column) implements Json.Value {
        static Action of(Object json) {
            return new Action(Json.integer(json, "column"));
        }

        @Override
        public Object json() {
            return Json.object("column", column);
        }
    }

    /**
     * The board: columns from left to right, each from bottom to top. Yellow moves when {@code discs} is even. {@code
     * end} is {@code four_in_line} or {@code full} when the game is over, and null before.
     */
    public record View(char[][] columns, int discs, String end) implements Json.Value {
        static View of(Object json) {
            List<Object> columns = Json.list(json, "columns");
            char[][] cells = new char[columns.size()][];
            for (int n = 0; n < cells.length; n++) {
                cells[n] = String.join("", Json.texts(columns.get(n))).toCharArray();
            }
            return new View(cells, Json.integer(json, "discs", 0), Json.text(json, "end", null));
        }

        @Override
        public Object json() {
            List<Object> all = new ArrayList<>();
            for (char[] cells : columns) {
                all.add(new String(cells).chars().mapToObj(c -> String.valueOf((char) c)).toList());
            }
            Map<String, Object> found = Json.object("columns", all, "discs", discs);
            if (end != null) {
                found.put("end", end);
            }
            return found;
        }
    }

    /** A bot of this game. */
    public abstract static class Bot extends botyard.Bot<View, Action> {
        @Override
        protected View readView(Object json) {
            return View.of(json);
        }

        @Override
        protected Action readAction(Object json) {
            return Action.of(json);
        }
    }

    @Override
    public View view(Object json) {
        return View.of(json);
    }

    /** Returns the legal actions, from left to right. */
    @Override
    public List<Action> legal(View view) {
        List<Action> actions = new ArrayList<>();
        for (int n = 0; n < view.columns.length && view.end == null; n++) {
            if (view.columns[n][ROWS - 1] == EMPTY) {
                actions.add(new Action(n + 1));
            }
        }
        return actions;
    }

    /** Returns the view after a disc of the side to move. */
    public View play(View view, Action action) {
        char[][] columns = view.columns.clone();
        int column = action.column - 1;
        char[] cells = columns[column].clone();
        columns[column] = cells;
        int row = new String(cells).indexOf(EMPTY);
        if (row < 0) {
            throw new IllegalArgumentException("the column is full");
        }
        cells[row] = view.discs % 2 == 0 ? YELLOW : RED;
        int discs = view.discs + 1;
        String end = winsAt(columns, column, row) ? "four_in_line" : discs == COLUMNS * ROWS ? "full" : null;
        return new View(columns, discs, end);
    }

    /** Returns whether the disc there (counted from 0) is in a line of four. */
    public static boolean winsAt(char[][] columns, int column, int row) {
        for (int[] d : new int[][] {{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
            if (run(columns, column, row, d[0], d[1]) + run(columns, column, row, -d[0], -d[1]) >= 3) {
                return true;
            }
        }
        return false;
    }

    private static int run(char[][] columns, int column, int row, int across, int up) {
        int length = 0;
        int x = column + across;
        int y = row + up;
        while (x >= 0 && x < COLUMNS && y >= 0 && y < ROWS && columns[x][y] == columns[column][row]) {
            length++;
            x += across;
            y += up;
        }
        return length;
    }
}
