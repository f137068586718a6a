package botyard;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;

/** The clock of a seat in one decision. All times are in seconds; infinity means unlimited. */
public final class Clock {
    /**
     * A moment: wall-clock time, CPU time of this process, and CPU time of the threads of the program, in seconds. Java
     * reads the process's in steps of 10 ms and the threads' exactly, but the threads of the compiler and the garbage
     * collector are only in the first.
     */
    public record Reading(double wall, double cpu, double threads) {
        /** Returns the present moment. CPU time is read only if it is asked for, because that loads many classes. */
        public static Reading now(boolean withCpu) {
            double wall = System.nanoTime() * 1e-9;
            return withCpu ? new Reading(wall, Cpu.process(), Cpu.threads()) : new Reading(wall, 0.0, 0.0);
        }

        private double cpuSince(Reading began) {
            return Math.max(cpu - began.cpu, threads - began.threads);
        }
    }

    /** Loaded with the first clock of CPU time. */
    private static final class Cpu {
        private static final OperatingSystemMXBean SYSTEM =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        static double process() {
            return SYSTEM.getProcessCpuTime() * 1e-9;
        }

        static double threads() {
            long sum = 0;
            for (long nanos : THREADS.getThreadCpuTime(THREADS.getAllThreadIds())) {
                sum += Math.max(nanos, 0);
            }
            return sum * 1e-9;
        }
    }

    /** {@code wall} or {@code cpu}; a kind that the kit does not know is treated as {@code wall}. */
    public final String kind;

    /** The limit of this decision. */
    public final double move;

    /** The time that the seat has left for all its decisions. */
    public final double bank;

    /** The time added to the bank after each decision. */
    public final double increment;

    private final Reading began;

    /** Reads a clock of a {@code turn} message whose line was read at {@code began}. */
    public Clock(Map<String, Object> clock, Reading began) {
        kind = Json.text(clock, "kind", "wall");
        move = seconds(clock, "move_ms", Double.POSITIVE_INFINITY);
        bank = seconds(clock, "bank_ms", Double.POSITIVE_INFINITY);
        increment = seconds(clock, "increment_ms", 0.0);
        this.began = began;
    }

    private static double seconds(Map<String, Object> clock, String name, double otherwise) {
        return clock.get(name) instanceof Number millis ? millis.doubleValue() / 1000 : otherwise;
    }

    private boolean isCpu() {
        return kind.equals("cpu");
    }

    /** Returns the limit of this decision: the lesser of {@code move} and {@code bank}. */
    public double limit() {
        return Math.min(move, bank);
    }

    /**
     * Returns the time since the {@code turn} line was read, of the kind that the clock counts. CPU time is that of
     * this process with all its threads (those of the garbage collector and the compiler too), without child processes.
     */
    public double elapsed() {
        Reading now = Reading.now(isCpu());
        return isCpu() ? now.cpuSince(began) : now.wall - began.wall;
    }

    /**
     * Returns the time until the referee's deadline, without a margin; infinity without a limit. With a clock of CPU
     * time it is the lesser of the remaining CPU time and the remaining wall-clock time.
     */
    public double left() {
        double limit = limit();
        if (limit == Double.POSITIVE_INFINITY) {
            return limit;
        }
        Reading now = Reading.now(isCpu());
        double wall = now.wall - began.wall;
        // With a clock of CPU time, the answer may take five times as much wall-clock time, and 250 ms.
        return isCpu() ? Math.min(limit - now.cpuSince(began), 5 * limit + 0.25 - wall) : limit - wall;
    }

    /**
     * Returns the time to plan for this decision if the seat expects {@code decisions} more, including it: an equal
     * share of the bank and the increment, at most {@code move}, minus a margin of at most half of it: 1/6 of the
     * limit, 10 to 50 ms, for wall-clock time; 1/12, 3 to 25 ms, for CPU time. Infinity without a limit.
     */
    public double share(int decisions) {
        double most = Math.min(move, Math.min(bank / Math.max(decisions, 1) + increment, bank));
        if (most == Double.POSITIVE_INFINITY) {
            return most;
        }
        double margin = isCpu()
                ? Math.min(Math.max(most / 12, 0.003), 0.025)
                : Math.min(Math.max(most / 6, 0.010), 0.050);
        return most - Math.min(margin, most / 2);
    }

    /** Returns the time to plan for this decision alone. */
    public double share() {
        return share(1);
    }
}
