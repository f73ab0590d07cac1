package dev.fairlead.http.blocking;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The header fields of a message, in their order; names are compared without regard to case. */
public final class HeaderFields {
    private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

    /** Names and values by turns. */
    private final List<String> fields;

    /** Creates no fields. */
    public HeaderFields() {
        this(new ArrayList<>());
    }

    private HeaderFields(List<String> fields) {
        this.fields = fields;
    }

    /** Returns a copy that can be changed. */
    public HeaderFields copy() {
        return new HeaderFields(new ArrayList<>(fields));
    }

    /**
     * Sets the only value of a field.
     *
     * @throws IllegalArgumentException if it cannot be sent
     */
    public void set(String name, String value) {
        if (!isToken(name)) {
            throw new IllegalArgumentException("invalid header name: \"" + name + "\"");
        }
        if (!isSendable(value)) {
            throw new IllegalArgumentException("invalid value of the header " + name);
        }
        for (int i = fields.size() - 2; i >= 0; i -= 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                fields.remove(i);
                fields.remove(i);
            }
        }
        add(name, value);
    }

    /** Adds a field as it came. */
    void add(String name, String value) {
        fields.add(name);
        fields.add(value);
    }

    /** Appends a continuation line to the last field. */
    void continueLast(String more) {
        int last = fields.size() - 1;
        fields.set(last, (fields.get(last) + " " + more).strip());
    }

    int size() {
        return fields.size() / 2;
    }

    /** Returns the first value of a field. */
    public Optional<String> first(String name) {
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                return Optional.of(fields.get(i + 1));
            }
        }
        return Optional.empty();
    }

    /** Returns all values of a field. */
    public List<String> all(String name) {
        List<String> values = new ArrayList<>(1);
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                values.add(fields.get(i + 1));
            }
        }
        return values;
    }

    /** Returns whether a field whose value is a list contains this element. */
    boolean lists(String name, String element) {
        for (String value : all(name)) {
            for (String part : value.split(",")) {
                if (part.strip().equalsIgnoreCase(element)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Passes on each field in its order. */
    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < fields.size(); i += 2) {
            action.accept(fields.get(i), fields.get(i + 1));
        }
    }

    /** Returns the values by their names. */
    public Map<String, List<String>> toMap() {
        Map<String, List<String>> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        forEach((name, value) -> map.computeIfAbsent(name, first -> new ArrayList<>()).add(value));
        return map;
    }

    static boolean isToken(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean fits =
                    c >= 'a' && c <= 'z'
                            || c >= 'A' && c <= 'Z'
                            || c >= '0' && c <= '9'
                            || TOKEN_SIGNS.indexOf(c) >= 0;
            if (!fits) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isSendable(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\t' || c > 0xFF || c == 0x7F) {
                return false;
            }
        }
        return true;
    }
}
