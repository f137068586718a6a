package botyard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Scotland Yard: the types of its views and actions, and the helpers that every bot needs.
 *
 * <p>This class is the game under one set of rules on one board: the neighbours of a station, distances with given
 * tickets, the stations where Mr. X can be, and the legal actions of a view. The rules and the JSON are described in
 * {@code docs/games/scotland-yard.md}. Not for several threads at a time: it keeps tables that it computes.
 */
public final class ScotlandYard extends Rulebook<ScotlandYard.View, ScotlandYard.Action> {
    /**
     * Tickets, which are also the kinds of edges, in the order in which actions are listed. A ferry takes a black
     * ticket.
     */
    public enum Ticket implements Json.Value {
        /** A taxi. */
        TAXI,
        /** A bus. */
        BUS,
        /** The underground. */
        UNDERGROUND,
        /** A ferry, for which there are only black tickets. */
        FERRY,
        /** Mr. X's black ticket. */
        BLACK;

        static Ticket of(Object json) {
            return valueOf(((String) json).toUpperCase(Locale.ROOT));
        }

        @Override
        public Object json() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The tickets that a detective may have. Each pays for the edges of the same kind. */
    public static final Set<Ticket> FARES = Set.of(Ticket.TAXI, Ticket.BUS, Ticket.UNDERGROUND);

    /** Counted tickets. */
    public record Tickets(int taxi, int bus, int underground) {
        static Tickets of(Object json) {
            return json == null
                    ? null
                    : new Tickets(
                            Json.integer(json, "taxi", 0),
                            Json.integer(json, "bus", 0),
                            Json.integer(json, "underground", 0));
        }

        /** Returns the number of tickets of a kind; 0 for those that are not counted here. */
        public int of(Ticket ticket) {
            return switch (ticket) {
                case TAXI -> taxi;
                case BUS -> bus;
                case UNDERGROUND -> underground;
                default -> 0;
            };
        }

        /** Returns how many there are. */
        public int sum() {
            return taxi + bus + underground;
        }

        /** Returns the tickets that are left after one is used. */
        public Tickets spent(Ticket ticket) {
            return new Tickets(
                    taxi - (ticket == Ticket.TAXI ? 1 : 0),
                    bus - (ticket == Ticket.BUS ? 1 : 0),
                    underground - (ticket == Ticket.UNDERGROUND ? 1 : 0));
        }
    }

    /**
     * Mr. X as a seat sees him: {@code station} is null where it is hidden, {@code tickets} where they are unlimited;
     * {@code double_} counts his double tickets.
     */
    public record MrX(Integer station, Tickets tickets, int black, int double_) {
        static MrX of(Object json) {
            return new MrX(
                    Json.integer(json, "station"),
                    Tickets.of(Json.field(json, "tickets")),
                    Json.integer(json, "black", 0),
                    Json.integer(json, "double", 0));
        }
    }

    /** A detective: {@code station} is null for one that was removed, {@code tickets} where they are unlimited. */
    public record Detective(Integer station, Tickets tickets, boolean moved) {
        static Detective of(Object json) {
            return new Detective(
                    Json.integer(json, "station"),
                    Tickets.of(Json.field(json, "tickets")),
                    Json.flag(json, "moved", false));
        }
    }

    /** A step of Mr. X; null among the detectives is one that was removed. */
    public record LogEntry(Ticket ticket, Integer station, boolean reveal, List<Integer> detectives) {
        static LogEntry of(Object json) {
            List<Integer> stations = new ArrayList<>();
            Json.list(json, "detectives").forEach(at -> stations.add(at == null ? null : ((Number) at).intValue()));
            return new LogEntry(
                    Ticket.of(Json.field(json, "ticket")),
                    Json.integer(json, "station"),
                    Json.flag(json, "reveal", false),
                    stations);
        }
    }

    /**
     * A step. {@code detective} is null in Mr. X's actions; {@code double_} is true in the first half of a double move.
     */
    public record Action(Integer detective, Ticket ticket, int to, boolean double_) implements Json.Value {
        static Action of(Object json) {
            return new Action(
                    Json.integer(json, "detective"),
                    Ticket.of(Json.field(json, "ticket")),
                    Json.integer(json, "to"),
                    Json.flag(json, "double", false));
        }

        @Override
        public Object json() {
            Map<String, Object> found = Json.object();
            if (detective != null) {
                found.put("detective", detective);
            }
            found.put("ticket", ticket);
            found.put("to", to);
            if (double_) {
                found.put("double", true);
            }
            return found;
        }
    }

    /** A double move that Mr. X can begin, with its second steps. */
    public record DoubleMove(Action first, List<Action> second) {
        static DoubleMove of(Object json) {
            return new DoubleMove(
                    Action.of(Json.field(json, "first")),
                    Json.list(json, "second").stream().map(Action::of).toList());
        }
    }

    /**
     * All that a seat may know. {@code toMove} is null when the game is over, {@code over} before that; {@code
     * candidates} and {@code doubleMoves} are null without their rules; {@code mrXStarts} is {@code "anywhere"}, a
     * list, or null.
     */
    public record View(
            int round,
            String toMove,
            boolean secondLeg,
            MrX mrX,
            List<Detective> detectives,
            List<LogEntry> log,
            int[] candidates,
            List<DoubleMove> doubleMoves,
            Object mrXStarts,
            String over) {
        static View of(Object json) {
            Object candidates = Json.field(json, "candidates");
            boolean hasDoubles = Json.field(json, "double_moves") != null;
            return new View(
                    Json.integer(json, "round", 0),
                    Json.text(json, "to_move", null),
                    Json.flag(json, "second_leg", false),
                    MrX.of(Json.field(json, "mr_x")),
                    Json.list(json, "detectives").stream().map(Detective::of).toList(),
                    Json.list(json, "log").stream().map(LogEntry::of).toList(),
                    candidates == null ? null : Json.integers(candidates),
                    hasDoubles ? Json.list(json, "double_moves").stream().map(DoubleMove::of).toList() : null,
                    Json.field(json, "mr_x_starts"),
                    Json.text(json, "over", null));
        }
    }

    /** An edge at a station: its kind and its other end. */
    public record Step(Ticket kind, int to) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            return kind != other.kind ? kind.compareTo(other.kind) : to - other.to;
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

    /** The rules of the {@code start} message. */
    public final Map<String, Object> rules;

    /** The setup of the {@code start} message. */
    public final Map<String, Object> setup;

    /** The number of stations, which are numbered from 1. */
    public final int stations;

    private final boolean xMayBlunder;
    private final boolean nobodyFollows;
    private final boolean fixedOrder;
    private final int limit;
    private final boolean limitInMoves;
    private final List<List<Step>> steps = new ArrayList<>();
    private final List<List<Integer>> neighbours = new ArrayList<>();
    private final Map<Set<Ticket>, int[][]> tables = new HashMap<>();

    /** Prepares the game with the rules and the setup of a {@code start} message. */
    public ScotlandYard(Map<String, Object> rules, Map<String, Object> setup) {
        this.rules = rules;
        this.setup = setup;
        stations = Json.integer(setup, "stations");
        xMayBlunder = "loses".equals(rules.get("x_onto_detective"));
        nobodyFollows = "pre_move_strict".equals(rules.get("agent_collision"));
        fixedOrder = "fixed".equals(rules.get("order"));
        limit = Json.integer(rules, "limit", 0);
        limitInMoves = "x_moves".equals(rules.get("limit_unit"));
        List<TreeSet<Step>> found = new ArrayList<>();
        for (int station = 0; station <= stations; station++) {
            found.add(new TreeSet<>());
        }
        for (Object edge : Json.list(setup, "edges")) {
            List<?> parts = (List<?>) edge;
            int a = ((Number) parts.get(0)).intValue();
            int b = ((Number) parts.get(1)).intValue();
            Ticket kind = Ticket.of(parts.get(2));
            found.get(a).add(new Step(kind, b));
            found.get(b).add(new Step(kind, a));
        }
        for (TreeSet<Step> at : found) {
            steps.add(List.copyOf(at));
            neighbours.add(at.stream().map(Step::to).sorted().distinct().toList());
        }
    }

    @Override
    public View view(Object json) {
        return View.of(json);
    }

    /** Returns the edges at a station, by kind and then by station. */
    public List<Step> steps(int station) {
        return steps.get(station);
    }

    /** Returns the stations that any ticket leads to, ascending. */
    public List<Integer> neighbours(int station) {
        return neighbours.get(station);
    }

    /** Returns the stations that a ticket leads to, ascending. A black ticket leads along every edge. */
    public List<Integer> neighbours(int station, Ticket ticket) {
        return ticket == Ticket.BLACK
                ? neighbours.get(station)
                : steps(station).stream().filter(step -> step.kind == ticket).map(Step::to).toList();
    }

    /** Returns the number of moves from a station to every other for a detective with all kinds of tickets. */
    public int[] distances(int station) {
        return distances(station, FARES);
    }

    /**
     * Returns the number of moves from a station to every other along edges of these kinds. The distance to station n
     * is at {@code [n]}; -1 where there is no way. The lists of all stations are computed at the first call for these
     * kinds, so make it in {@code start}.
     */
    public int[] distances(int station, Set<Ticket> kinds) {
        int[][] table = tables.get(kinds);
        if (table == null) {
            table = new int[stations + 1][];
            for (int from = 0; from <= stations; from++) {
                table[from] = search(from, kinds);
            }
            tables.put(Set.copyOf(kinds), table);
        }
        return table[station];
    }

    private int[] search(int from, Set<Ticket> kinds) {
        int[] found = new int[stations + 1];
        Arrays.fill(found, -1);
        if (from == 0) {
            return found;
        }
        found[from] = 0;
        ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(from));
        while (!queue.isEmpty()) {
            int at = queue.remove();
            for (Step step : steps(at)) {
                if (found[step.to] < 0 && kinds.contains(step.kind)) {
                    found[step.to] = found[at] + 1;
                    queue.add(step.to);
                }
            }
        }
        return found;
    }

    /**
     * Returns the least number of moves of a detective with these tickets ({@code null}: unlimited); {@code null} if it
     * cannot arrive. Other pieces on the way are not considered.
     */
    public Integer distance(int from, int to, Tickets tickets) {
        int least = tickets == null ? distances(from)[to] : least(tickets, from, to);
        if (least < 0) {
            return null;
        }
        if (tickets == null || FARES.stream().allMatch(kind -> tickets.of(kind) == 0 || tickets.of(kind) >= least)) {
            return least;
        }
        // Breadth-first search over stations and tickets left.
        record State(int station, Tickets left) {}
        Set<State> seen = new HashSet<>();
        List<State> frontier = List.of(new State(from, tickets));
        for (int moves = 0; !frontier.isEmpty(); moves++) {
            List<State> following = new ArrayList<>();
            for (State state : frontier) {
                if (state.station == to) {
                    return moves;
                }
                for (Step step : steps(state.station)) {
                    if (state.left.of(step.kind) == 0) {
                        continue;
                    }
                    State next = new State(step.to, state.left.spent(step.kind));
                    int more = least(next.left, step.to, to);
                    if (more >= 0 && more <= next.left.sum() && seen.add(next)) {
                        following.add(next);
                    }
                }
            }
            frontier = following;
        }
        return null;
    }

    private int least(Tickets held, int from, int to) {
        Set<Ticket> kinds = EnumSet.noneOf(Ticket.class);
        for (Ticket kind : FARES) {
            if (held.of(kind) > 0) {
                kinds.add(kind);
            }
        }
        return distances(from, kinds)[to];
    }

    /**
     * Returns the stations at which Mr. X can be as far as the detectives can know, ascending. It follows from the
     * public log, so it is the same in the views of both sides.
     */
    public TreeSet<Integer> candidates(View view) {
        if ("caught".equals(view.over) && view.mrX.station != null) {
            return new TreeSet<>(List.of(view.mrX.station));
        }
        Object starts = view.mrXStarts != null ? view.mrXStarts : setup.get("mr_x_starts");
        TreeSet<Integer> possible = new TreeSet<>();
        if (starts instanceof String) {
            for (int station = 1; station <= stations; station++) {
                possible.add(station);
            }
        } else {
            Arrays.stream(Json.integers(starts)).forEach(possible::add);
        }
        for (LogEntry entry : view.log) {
            possible = candidatesAfter(possible, entry);
        }
        possible.removeAll(stationsOf(view.detectives));
        return possible;
    }

    /** Returns the candidates after a step of Mr. X, from those before it. */
    public TreeSet<Integer> candidatesAfter(Collection<Integer> possible, LogEntry entry) {
        TreeSet<Integer> reached = new TreeSet<>();
        if (entry.reveal && entry.station != null) {
            reached.add(entry.station);
            return reached;
        }
        for (Integer at : possible) {
            if (!entry.detectives.contains(at)) {
                reached.addAll(neighbours(at, entry.ticket));
            }
        }
        reached.removeIf(entry.detectives::contains);
        return reached;
    }

    /** Returns the legal actions of the seat to move. Mr. X's need his own view, which shows his station. */
    @Override
    public List<Action> legal(View view) {
        if (view.toMove == null) {
            return List.of();
        }
        return view.toMove.equals("mr-x") ? legalOfX(view) : legalOfDetectives(view);
    }

    private static Set<Integer> stationsOf(List<Detective> detectives) {
        Set<Integer> found = new HashSet<>();
        for (Detective detective : detectives) {
            if (detective.station != null) {
                found.add(detective.station);
            }
        }
        return found;
    }

    private static boolean has(Tickets tickets, Ticket kind) {
        return tickets == null || tickets.of(kind) > 0;
    }

    private List<Action> legalOfDetectives(View view) {
        Set<Integer> taken = stationsOf(view.detectives);
        if (nobodyFollows && !view.log.isEmpty()) {
            taken.addAll(view.log.get(view.log.size() - 1).detectives);
        }
        List<Action> actions = new ArrayList<>();
        for (int n = 0; n < view.detectives.size(); n++) {
            Detective detective = view.detectives.get(n);
            if (detective.moved) {
                continue;
            }
            for (Step step : detective.station == null ? List.<Step>of() : steps(detective.station)) {
                boolean pays = step.kind != Ticket.FERRY && has(detective.tickets, step.kind);
                if (pays && (!taken.contains(step.to) || step.to == detective.station)) {
                    actions.add(new Action(n + 1, step.kind, step.to, false));
                }
            }
            if (fixedOrder) {
                break;
            }
        }
        return actions;
    }

    private List<Action> legalOfX(View view) {
        MrX mrX = view.mrX;
        if (mrX.station == null) {
            throw new IllegalArgumentException("Mr. X's legal actions need a view that shows his station");
        }
        Set<Integer> taken = stationsOf(view.detectives);
        List<Step> all = xSteps(mrX.station, mrX.tickets, mrX.black);
        List<Action> actions = new ArrayList<>();
        for (Step step : all) {
            if (xMayBlunder || !taken.contains(step.to)) {
                actions.add(new Action(null, step.kind, step.to, false));
            }
        }
        boolean room = !limitInMoves || view.log.size() + 2 <= limit;
        if (view.secondLeg || mrX.double_ == 0 || !room) {
            return actions;
        }
        for (Step step : all) {
            if (!taken.contains(step.to) && hasSecondLeg(mrX, step, taken)) {
                actions.add(new Action(null, step.kind, step.to, true));
            }
        }
        return actions;
    }

    private List<Step> xSteps(int station, Tickets tickets, int black) {
        List<Step> found = new ArrayList<>();
        for (Step step : steps(station)) {
            if (step.kind != Ticket.FERRY && has(tickets, step.kind)) {
                found.add(step);
            }
        }
        if (black > 0) {
            neighbours(station).forEach(to -> found.add(new Step(Ticket.BLACK, to)));
        }
        return found;
    }

    private boolean hasSecondLeg(MrX mrX, Step first, Set<Integer> taken) {
        boolean isBlack = first.kind == Ticket.BLACK;
        Tickets tickets = isBlack || mrX.tickets == null ? mrX.tickets : mrX.tickets.spent(first.kind);
        for (Step step : xSteps(first.to, tickets, mrX.black - (isBlack ? 1 : 0))) {
            if (xMayBlunder || !taken.contains(step.to)) {
                return true;
            }
        }
        return false;
    }
}
