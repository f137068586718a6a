package botyard;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads and writes JSON. Values are {@code null}, {@link Boolean}, {@link String}, {@link Long} (or {@link
 * BigInteger}), {@link Double}, {@code List<Object>} and {@code Map<String, Object>}.
 */
public final class Json {
    private Json() {}

    /** A type that has a form in JSON. */
    public interface Value {
        /** Returns this as JSON. */
        Object json();
    }

    /** Text that is not JSON. */
    public static final class ParseException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        ParseException(String message) {
            super(message);
        }
    }

    /** Returns a new object from names and values in turn. */
    public static Map<String, Object> object(Object... fields) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int n = 0; n < fields.length; n += 2) {
            made.put((String) fields[n], fields[n + 1]);
        }
        return made;
    }

    /** Returns a field of an object; {@code null} if it is missing, or if the value is not an object. */
    public static Object field(Object object, String name) {
        return object instanceof Map<?, ?> map ? map.get(name) : null;
    }

    /** Returns a field that is an object, and an empty object if it is missing or null. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> map(Object object, String name) {
        Object found = field(object, name);
        return found instanceof Map ? (Map<String, Object>) found : Map.of();
    }

    /** Returns a field that is an array, and an empty list if it is missing or null. */
    @SuppressWarnings("unchecked")
    public static List<Object> list(Object object, String name) {
        Object found = field(object, name);
        return found instanceof List ? (List<Object>) found : List.of();
    }

    /** Returns a field that is a text. */
    public static String text(Object object, String name, String otherwise) {
        Object found = field(object, name);
        return found instanceof String text ? text : otherwise;
    }

    /** Returns a field that is an integer. */
    public static int integer(Object object, String name, int otherwise) {
        Object found = field(object, name);
        return found instanceof Number number ? Math.toIntExact(number.longValue()) : otherwise;
    }

    /** Returns a field that is an integer or missing. */
    public static Integer integer(Object object, String name) {
        Object found = field(object, name);
        return found instanceof Number number ? Integer.valueOf(Math.toIntExact(number.longValue())) : null;
    }

    /** Returns a field that is true or false. */
    public static boolean flag(Object object, String name, boolean otherwise) {
        Object found = field(object, name);
        return found instanceof Boolean flag ? flag : otherwise;
    }

    /** Returns an array of texts. */
    public static List<String> texts(Object array) {
        List<String> found = new ArrayList<>();
        for (Object item : array instanceof List<?> items ? items : List.of()) {
            found.add((String) item);
        }
        return found;
    }

    /** Returns an array of integers; null in it becomes 0. */
    public static int[] integers(Object array) {
        List<?> items = (List<?>) array;
        int[] found = new int[items.size()];
        for (int n = 0; n < found.length; n++) {
            found[n] = items.get(n) == null ? 0 : Math.toIntExact(((Number) items.get(n)).longValue());
        }
        return found;
    }

    /**
     * Returns a value as plain JSON data: numbers of other types, arrays, collections and {@link Value}s are converted.
     */
    public static Object plain(Object value) {
        if (value == null || value instanceof Boolean || value instanceof String || value instanceof BigInteger) {
            return value;
        }
        if (value instanceof Value known) {
            return plain(known.json());
        }
        if (value instanceof Float || value instanceof Double) {
            return ((Number) value).doubleValue();
        }
        if (value instanceof Number number) {
            return number.longValue();
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> found = new LinkedHashMap<>();
            map.forEach((name, item) -> found.put(String.valueOf(name), plain(item)));
            return found;
        }
        if (value instanceof Iterable<?> items) {
            List<Object> found = new ArrayList<>();
            items.forEach(item -> found.add(plain(item)));
            return found;
        }
        if (value.getClass().isArray()) {
            List<Object> found = new ArrayList<>();
            for (int n = 0; n < Array.getLength(value); n++) {
                found.add(plain(Array.get(value, n)));
            }
            return found;
        }
        throw new IllegalArgumentException("expected JSON data, got a " + value.getClass().getName() + ": " + value);
    }

    /** Returns whether two values are equal as JSON; the order of keys does not matter. */
    public static boolean same(Object one, Object other) {
        return write(sorted(plain(one))).equals(write(sorted(plain(other))));
    }

    private static Object sorted(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> found = new TreeMap<>();
            map.forEach((name, item) -> found.put((String) name, sorted(item)));
            return found;
        }
        return value instanceof List<?> items ? items.stream().map(Json::sorted).toList() : value;
    }

    /**
     * Returns JSON as the referee accepts it: on one line, ASCII. Throws {@link IllegalArgumentException} for NaN and
     * for what is not JSON data.
     */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        writePlain(plain(value), out);
        return out.toString();
    }

    private static void writePlain(Object value, StringBuilder out) {
        if (value instanceof String text) {
            writeText(text, out);
        } else if (value instanceof Map<?, ?> map) {
            char before = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                writeText((String) entry.getKey(), out);
                out.append(':');
                writePlain(entry.getValue(), out);
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            char before = '[';
            for (Object item : items) {
                out.append(before);
                writePlain(item, out);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else {
            if (value instanceof Double number && !Double.isFinite(number)) {
                throw new IllegalArgumentException("expected a number that JSON can write, got " + number);
            }
            out.append(value);
        }
    }

    private static void writeText(String text, StringBuilder out) {
        out.append('"');
        for (int n = 0; n < text.length(); n++) {
            char c = text.charAt(n);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c >= ' ' && c < 127) {
                out.append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (isLone(text, n)) {
                out.append('?'); // Half of a surrogate pair is not Unicode.
            } else {
                out.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
            }
        }
        out.append('"');
    }

    private static boolean isLone(String text, int n) {
        char c = text.charAt(n);
        if (Character.isHighSurrogate(c)) {
            return n + 1 == text.length() || !Character.isLowSurrogate(text.charAt(n + 1));
        }
        return Character.isLowSurrogate(c) && (n == 0 || !Character.isHighSurrogate(text.charAt(n - 1)));
    }

    /** Reads a value. Throws {@link ParseException}. */
    public static Object parse(String text) {
        Reader reader = new Reader(text);
        Object value = reader.value();
        reader.space();
        if (reader.at < text.length()) {
            throw reader.expected("the end of the text");
        }
        return value;
    }

    private static final class Reader {
        final String text;
        int at;

        Reader(String text) {
            this.text = text;
        }

        ParseException expected(String what) {
            return new ParseException("not JSON: expected " + what + " at character " + (at + 1));
        }

        void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        boolean skip(char c) {
            space();
            if (at < text.length() && text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        void require(char c) {
            if (!skip(c)) {
                throw expected("'" + c + "'");
            }
        }

        Object word(String word, Object value) {
            if (!text.startsWith(word, at)) {
                throw expected("a value");
            }
            at += word.length();
            return value;
        }

        Object value() {
            space();
            if (at == text.length()) {
                throw expected("a value");
            }
            switch (text.charAt(at)) {
                case '{':
                    return object();
                case '[':
                    return array();
                case '"':
                    return string();
                case 't':
                    return word("true", Boolean.TRUE);
                case 'f':
                    return word("false", Boolean.FALSE);
                case 'n':
                    return word("null", null);
                default:
                    return number();
            }
        }

        Map<String, Object> object() {
            Map<String, Object> found = new LinkedHashMap<>();
            require('{');
            if (skip('}')) {
                return found;
            }
            do {
                space();
                String name = string();
                require(':');
                found.put(name, value());
            } while (skip(','));
            require('}');
            return found;
        }

        List<Object> array() {
            List<Object> found = new ArrayList<>();
            require('[');
            if (skip(']')) {
                return found;
            }
            do {
                found.add(value());
            } while (skip(','));
            require(']');
            return found;
        }

        String string() {
            require('"');
            StringBuilder found = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"') {
                    return found.toString();
                }
                if (c != '\\') {
                    found.append(c);
                    continue;
                }
                if (at == text.length()) {
                    break;
                }
                c = text.charAt(at++);
                int simple = "\"\\/bfnrt".indexOf(c);
                if (simple >= 0) {
                    found.append("\"\\/\b\f\n\r\t".charAt(simple));
                } else if (c == 'u' && at + 4 <= text.length()) {
                    try {
                        found.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    } catch (NumberFormatException error) {
                        throw expected("four hexadecimal digits");
                    }
                    at += 4;
                } else {
                    throw expected("an escape");
                }
            }
            throw expected("the end of a string");
        }

        Object number() {
            int start = at;
            boolean whole = true;
            while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
                whole &= ".eE".indexOf(text.charAt(at)) < 0;
                at++;
            }
            String digits = text.substring(start, at);
            try {
                if (!whole) {
                    return Double.valueOf(digits);
                }
                return digits.length() < 19 ? (Object) Long.valueOf(digits) : new BigInteger(digits);
            } catch (NumberFormatException error) {
                at = start;
                throw expected("a value");
            }
        }
    }
}
