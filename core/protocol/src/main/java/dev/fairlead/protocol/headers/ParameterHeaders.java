package dev.fairlead.protocol.headers;

import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.SchemaParts;
import dev.fairlead.protocol.HeaderMismatch;
import dev.fairlead.protocol.HeaderText;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The HTTP headers that repeat arguments of a tool, as {@code x-mcp-header} in its input schema
 * names them.
 *
 * @spec
 *     https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
 *     Custom headers from tool parameters
 */
public record ParameterHeaders(List<ParameterHeader> all) {
    private static final String KEYWORD = "x-mcp-header";

    /** The greatest length of a number; longer ones are written unchanged. */
    private static final int LONGEST_INTEGER = 100;

    /** The greatest length of a place in a message. */
    private static final int MAX_PLACE = 500;

    /** More than any server takes with a request, and each keeps its path. */
    private static final int MAX_HEADERS = 1_000;

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

    /**
     * A header that repeats an argument.
     *
     * @param name the whole name of the header
     * @param path the names of the members from the arguments to the value
     */
    public record ParameterHeader(String name, List<String> path) {
        private @Nullable JsonValue value(RawJson arguments) {
            RawJson at = arguments;
            for (String step : path) {
                at = at == null ? null : at.member(step);
            }
            return at == null ? null : at.value();
        }

        private Optional<String> mismatch(
                RawJson arguments, Function<String, List<String>> headers) {
            String place = String.join(".", path);
            JsonValue value;
            try {
                if (isInText(arguments)) {
                    return Optional.of(
                            name + " repeats " + place + ", which must not be within a string");
                }
                value = value(arguments);
            } catch (JsonException e) { // the tool refuses such arguments
                return Optional.empty();
            }
            return HeaderMismatch.find(name, headers.apply(name), value, place);
        }

        /** Whether a string stands where an object has the value; a tool may read one in it. */
        private boolean isInText(RawJson arguments) {
            RawJson at = arguments;
            for (String step : path.subList(0, path.size() - 1)) {
                at = at.member(step);
                if (at == null || at.string() != null) {
                    return at != null;
                }
            }
            return false;
        }
    }

    /**
     * Reads the headers of a tool.
     *
     * @throws IllegalArgumentException if an {@code x-mcp-header} breaks a rule of the
     *     specification; the message names the tool, the place and the rule
     */
    public static ParameterHeaders of(Tool tool) {
        Reader reader = new Reader(tool.name());
        reader.read(tool.inputSchema(), null);
        return new ParameterHeaders(List.copyOf(reader.found));
    }

    /**
     * Reads the headers of a tool that others define. One that breaks a rule has none, since
     * clients do not use it.
     */
    public static ParameterHeaders ifValid(Tool tool) {
        try {
            return of(tool);
        } catch (IllegalArgumentException e) {
            return new ParameterHeaders(List.of());
        }
    }

    /**
     * Compares the headers of a call with its arguments.
     *
     * @param arguments an object
     * @param headers gives all values of a header
     * @throws RequestRefusedException {@code -32020} if one differs, is missing or is encoded
     *     wrongly
     */
    public void check(RawJson arguments, Function<String, List<String>> headers) {
        for (ParameterHeader header : all) {
            Optional<String> mismatch = header.mismatch(arguments, headers);
            if (mismatch.isPresent()) {
                throw new RequestRefusedException(
                        RequestRefusedException.Kind.INVALID, HeaderMismatch.error(mismatch.get()));
            }
        }
    }

    /**
     * Returns the headers of a call, by name. Numbers are written as integers without a fraction
     * where they have none; null, an object and an array have no header.
     *
     * @param arguments an object
     */
    public Map<String, String> values(RawJson arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        for (ParameterHeader header : all) {
            String text = text(header.value(arguments));
            if (text != null) {
                values.put(header.name(), HeaderText.encode(text));
            }
        }
        return values;
    }

    private static @Nullable String text(@Nullable JsonValue value) {
        return switch (value) {
            case JsonString text -> text.value();
            case JsonBoolean flag -> String.valueOf(flag.value());
            case JsonNumber number -> plain(number);
            case null, default -> null;
        };
    }

    private static String plain(JsonNumber number) {
        BigDecimal exact = number.value();
        boolean whole = exact.scale() <= 0 || exact.stripTrailingZeros().scale() <= 0;
        return whole && exact.precision() - exact.scale() <= LONGEST_INTEGER
                ? exact.toBigInteger().toString()
                : number.toJson();
    }

    /**
     * The place of a schema in the schema of a tool, as the parts that lead to it. Its text and its
     * path are made for a schema with a header alone: others would be as long, and are many.
     *
     * @param whole the place of the schema that has it; null for the root
     */
    private record Place(@Nullable Place whole, SchemaParts.Part part) {
        /**
         * Returns the names of the properties that lead from the root to a schema; null if it is
         * the root, or other keywords lead to it.
         */
        static @Nullable List<String> path(@Nullable Place place) {
            Deque<String> path = new ArrayDeque<>();
            for (Place at = place; at != null; at = at.whole) {
                String name = at.part.name();
                if (name == null || !at.part.keyword().equals("properties")) {
                    return null;
                }
                path.addFirst(name);
            }
            return path.isEmpty() ? null : List.copyOf(path);
        }

        /** Returns the place as text, cut after {@value #MAX_PLACE} characters. */
        static String text(@Nullable Place place) {
            Deque<String> steps = new ArrayDeque<>();
            for (Place at = place; at != null; at = at.whole) {
                String name = at.part.name();
                if (name != null) {
                    steps.addFirst(name);
                }
                steps.addFirst(at.part.keyword());
            }
            StringBuilder text = new StringBuilder("#");
            for (String step : steps) {
                text.append('/').append(step, 0, Math.min(step.length(), MAX_PLACE));
                if (text.length() > MAX_PLACE) {
                    return text.substring(0, MAX_PLACE) + "…";
                }
            }
            return text.toString();
        }
    }

    /** Reads the input schema of one tool. */
    private static final class Reader {
        private final String tool;
        private final List<ParameterHeader> found = new ArrayList<>();
        private final Map<String, Place> places = new HashMap<>(); // by name in lower case

        Reader(String tool) {
            this.tool = tool;
        }

        /**
         * Reads one schema.
         *
         * @param place where it stands in the whole; null for the root
         */
        void read(JsonObject schema, @Nullable Place place) {
            JsonValue header = schema.get(KEYWORD);
            if (header != null) {
                add(header, schema, place);
            }
            SchemaParts.visit(schema, part -> read(part.schema(), new Place(place, part)));
        }

        private void add(JsonValue value, JsonObject schema, @Nullable Place place) {
            if (!(value instanceof JsonString text)) {
                throw refused(place, "must be a string but was " + value.toJson());
            }
            String name = text.value();
            if (!TOKEN.matcher(name).matches()) {
                throw refused(
                        place,
                        name.isEmpty()
                                ? "must not be empty"
                                : "must be a token of RFC 9110 but was " + text.toJson());
            }
            List<String> path = Place.path(place);
            if (place == null || path == null) {
                throw refused(
                        place,
                        "must be on a property that only 'properties' lead to from the root");
            }
            JsonValue type = schema.get("type");
            if (!(type instanceof JsonString one) || !TYPES.contains(one.value())) {
                throw refused(
                        place,
                        "needs the type string, integer or boolean but the type was "
                                + (type == null ? "missing" : type.toJson()));
            }
            Place other = places.putIfAbsent(name.toLowerCase(Locale.ROOT), place);
            if (other != null) {
                throw refused(place, "must not have the name of the one at " + Place.text(other));
            }
            if (found.size() == MAX_HEADERS) {
                throw refused(place, "must not be one of more than " + MAX_HEADERS);
            }
            found.add(new ParameterHeader("Mcp-Param-" + name, path));
        }

        private IllegalArgumentException refused(@Nullable Place place, String rule) {
            return new IllegalArgumentException(
                    "the x-mcp-header of the tool "
                            + tool
                            + " at "
                            + Place.text(place)
                            + " "
                            + rule);
        }
    }
}
