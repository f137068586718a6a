package botyard;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a match may set. A bot declares its options as fields, by the methods of {@link Bot}:
 *
 * <pre>{@code final Option.Int depth = intOption("depth", 3, 1, 9, "plies to search");}</pre>
 *
 * <p>{@code get()} is the value that the match set, or the default. Options are set before {@link Bot#start} is called.
 */
public abstract class Option<T> {
    /** The largest integer that the protocol allows. */
    public static final long MAX_INT = 1L << 53;

    /** The name in the protocol. */
    public final String name;

    /** One line on its effect. */
    public final String about;

    private final T byDefault;
    private T value;

    private Option(String name, T byDefault, String about) {
        this.name = name;
        this.about = about;
        this.byDefault = byDefault;
        this.value = byDefault;
    }

    /** Returns the value that the match set, or the default. */
    public T get() {
        return value;
    }

    /** Returns the value of JSON that a match may set; {@code null} if it may not. */
    abstract T accept(Object json);

    /** Returns the allowed values, in words. */
    abstract String expected();

    /** Adds the fields of this kind of option in {@code hello}. */
    abstract void describe(Map<String, Object> spec);

    final void reset() {
        value = byDefault;
    }

    final void set(Object json) {
        T accepted = accept(json);
        if (accepted == null) {
            throw new OptionException("option " + name + ": expected " + expected() + ", got " + Json.write(json));
        }
        value = accepted;
    }

    final Map<String, Object> spec() {
        Map<String, Object> spec = Json.object();
        describe(spec);
        spec.put("default", byDefault);
        if (!about.isEmpty()) {
            spec.put("about", about);
        }
        return spec;
    }

    static void setAll(Map<String, Option<?>> options, Map<String, Object> values) {
        options.values().forEach(Option::reset);
        values.forEach((name, value) -> {
            Option<?> option = options.get(name);
            if (option == null) {
                String known = String.join(", ", new TreeMap<>(options).keySet());
                throw new OptionException("there is no option " + name + "; the options of this bot are: " + known);
            }
            option.set(value);
        });
    }

    /** An integer from {@code min} to {@code max}, both included. */
    public static final class Int extends Option<Long> {
        private final long min;
        private final long max;

        Int(String name, long byDefault, long min, long max, String about) {
            super(name, byDefault, about);
            this.min = min;
            this.max = max;
            set(byDefault);
        }

        /** Returns the value as an {@code int}. */
        public int asInt() {
            return Math.toIntExact(get());
        }

        @Override
        Long accept(Object json) {
            return json instanceof Long number && number >= min && number <= max ? number : null;
        }

        @Override
        String expected() {
            return "an integer from " + min + " to " + max;
        }

        @Override
        void describe(Map<String, Object> spec) {
            spec.putAll(Json.object("kind", "int", "min", min, "max", max));
        }
    }

    /** A number from {@code min} to {@code max}, both included. */
    public static final class Real extends Option<Double> {
        private final double min;
        private final double max;

        Real(String name, double byDefault, double min, double max, String about) {
            super(name, byDefault, about);
            this.min = min;
            this.max = max;
            set(byDefault);
        }

        @Override
        Double accept(Object json) {
            double number = json instanceof Number any ? any.doubleValue() : Double.NaN;
            return number >= min && number <= max ? number : null;
        }

        @Override
        String expected() {
            return "a number from " + min + " to " + max;
        }

        @Override
        void describe(Map<String, Object> spec) {
            spec.putAll(Json.object("kind", "float", "min", min, "max", max));
        }
    }

    /** One of some words. */
    public static final class Choice extends Option<String> {
        private final List<String> values;

        Choice(String name, String byDefault, List<String> values, String about) {
            super(name, byDefault, about);
            this.values = values;
            set(byDefault);
        }

        @Override
        String accept(Object json) {
            return json instanceof String word && values.contains(word) ? word : null;
        }

        @Override
        String expected() {
            return "one of " + String.join(", ", values);
        }

        @Override
        void describe(Map<String, Object> spec) {
            spec.putAll(Json.object("kind", "enum", "values", values));
        }
    }

    /** {@code true} or {@code false}. */
    public static final class Flag extends Option<Boolean> {
        Flag(String name, boolean byDefault, String about) {
            super(name, byDefault, about);
        }

        @Override
        Boolean accept(Object json) {
            return json instanceof Boolean flag ? flag : null;
        }

        @Override
        String expected() {
            return "true or false";
        }

        @Override
        void describe(Map<String, Object> spec) {
            spec.put("kind", "bool");
        }
    }

    /** Any text. */
    public static final class Text extends Option<String> {
        Text(String name, String byDefault, String about) {
            super(name, byDefault, about);
        }

        @Override
        String accept(Object json) {
            return json instanceof String text ? text : null;
        }

        @Override
        String expected() {
            return "a text";
        }

        @Override
        void describe(Map<String, Object> spec) {
            spec.put("kind", "text");
        }
    }
}
