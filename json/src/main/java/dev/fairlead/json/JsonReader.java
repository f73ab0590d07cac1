package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON text from front to back, without a tree in between. It always stands on a value:
 * {@link #kind} tells which, and exactly one of the reading methods must take it before the next
 * one.
 *
 * <p>For use by one thread. Every method throws a {@link JsonException} where the text is not what
 * it claims to be.
 */
public final class JsonReader implements AutoCloseable {
    /** How deeply arrays and objects may be nested. */
    public static final int MAX_DEPTH = 500;

    /** The most characters of one number. */
    public static final int MAX_NUMBER_LENGTH = 1000;

    /** What a value is. */
    public enum Kind {
        /** An object. */
        OBJECT("an object"),
        /** An array. */
        ARRAY("an array"),
        /** A string. */
        STRING("a string"),
        /** A number. */
        NUMBER("a number"),
        /** {@code true} or {@code false}. */
        BOOLEAN("a boolean"),
        /** The literal {@code null}. */
        NULL("null");

        private final String phrase;

        Kind(String phrase) {
            this.phrase = phrase;
        }

        /** The kind as it stands in a message, such as {@code "an object"}. */
        public String phrase() {
            return phrase;
        }
    }

    private final byte[] bytes;
    private final int base; // where the text starts: the parser counts from there
    private final int end;
    private final JsonParser parser;
    private final int maxValues;
    private int values = 1;

    /** A reader of these bytes, which must be UTF-8; a byte order mark in front is skipped. */
    public JsonReader(byte[] utf8) {
        this(utf8, Integer.MAX_VALUE);
    }

    /**
     * A reader of these bytes, as {@link #JsonReader(byte[])}.
     *
     * @param maxValues how many values the text may have, those in arrays and objects and those
     *     that are skipped included; a text with more is refused
     */
    public JsonReader(byte[] utf8, int maxValues) {
        this(utf8, Utf8.start(utf8), utf8.length, maxValues);
    }

    JsonReader(byte[] bytes, int offset, int length) {
        this(bytes, offset, offset + length, Integer.MAX_VALUE);
    }

    private JsonReader(byte[] bytes, int start, int end, int maxValues) {
        this.bytes = bytes;
        this.base = start;
        this.end = end;
        this.maxValues = maxValues;
        parser = ParserFactory.parser(bytes, start, end - start);
        try {
            if (parser.nextToken() == null) {
                throw new JsonException("the text is empty");
            }
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    /** What the current value is. */
    public Kind kind() {
        return switch (token()) {
            case START_OBJECT -> Kind.OBJECT;
            case START_ARRAY -> Kind.ARRAY;
            case VALUE_STRING -> Kind.STRING;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
            case VALUE_TRUE, VALUE_FALSE -> Kind.BOOLEAN;
            case VALUE_NULL -> Kind.NULL;
            default -> throw new IllegalStateException("no value here but " + token());
        };
    }

    private JsonToken token() {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new JsonException("the text ends where a value was expected");
        }
        return token;
    }

    private void expect(Kind expected) {
        if (kind() != expected) {
            throw new JsonException(
                    "expected " + expected.phrase() + " but found " + kind().phrase());
        }
    }

    /** Steps into the current object; {@link #nextName} leads through its members. */
    public void beginObject() {
        expect(Kind.OBJECT);
    }

    /**
     * Steps to the value of the next member and gives its name, or null at the end of the object,
     * which is then taken.
     */
    public @Nullable String nextName() {
        try {
            String name = parser.nextName();
            if (name != null) {
                parser.nextToken();
                countValue();
            }
            return name;
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    /** Steps into the current array; {@link #nextElement} leads through its elements. */
    public void beginArray() {
        expect(Kind.ARRAY);
    }

    /** Steps to the next element; false at the end of the array, which is then taken. */
    public boolean nextElement() {
        try {
            boolean another = parser.nextToken() != JsonToken.END_ARRAY;
            if (another) {
                countValue();
            }
            return another;
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    /** Takes a string. */
    public String string() {
        expect(Kind.STRING);
        try {
            return parser.getString();
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    /** Takes a boolean. */
    public boolean bool() {
        expect(Kind.BOOLEAN);
        return parser.currentToken() == JsonToken.VALUE_TRUE;
    }

    /** Takes a number. */
    public BigDecimal number() {
        expect(Kind.NUMBER);
        try {
            return parser.getDecimalValue();
        } catch (JacksonException e) {
            throw failure(e);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new JsonException("a number is beyond all bounds", e);
        }
    }

    /**
     * Whether the current number is written without fraction and exponent and fits 64 bits, so that
     * {@link #longValue} is exact.
     */
    public boolean isLong() {
        if (token() != JsonToken.VALUE_NUMBER_INT) {
            return false;
        }
        try {
            return switch (parser.getNumberType()) {
                case INT, LONG -> true;
                default -> false;
            };
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    /** Takes a number for which {@link #isLong} holds. */
    public long longValue() {
        expect(Kind.NUMBER);
        try {
            return parser.getLongValue();
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    private void countValue() {
        if (++values > maxValues) {
            throw new JsonException("the text has more than " + maxValues + " values");
        }
    }

    /** Takes any value without looking at it. */
    public void skip() {
        try {
            int open = token().isStructStart() ? 1 : 0;
            while (open > 0) {
                JsonToken token = parser.nextToken();
                if (token == null) {
                    throw new JsonException("the text ends where a value was expected");
                }
                if (token.isStructEnd()) {
                    open--;
                } else if (token != JsonToken.PROPERTY_NAME) {
                    countValue();
                    open += token.isStructStart() ? 1 : 0;
                }
            }
            parser.finishToken();
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    /** Takes any value as its text. */
    public RawJson raw() {
        try {
            int start = position();
            if (token() == JsonToken.VALUE_NUMBER_INT || token() == JsonToken.VALUE_NUMBER_FLOAT) {
                return new RawJson(bytes, start, parser.getStringLength());
            }
            skip();
            int end = base + (int) parser.currentLocation().getByteOffset();
            return new RawJson(bytes, start, end - start);
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    /** Takes any value as a tree. */
    public JsonValue value() {
        return value(null);
    }

    /**
     * Takes any value as a tree; a member that stands twice is noted where there is a reading, else
     * refused.
     */
    JsonValue value(@Nullable Reading reading) {
        return switch (kind()) {
            case OBJECT -> restOfObject(new LinkedHashMap<>(), nextName(), reading);
            case ARRAY -> array(reading);
            case STRING -> new JsonString(string());
            case NUMBER -> new JsonNumber(number());
            case BOOLEAN -> JsonValue.of(bool());
            case NULL -> JsonNull.NULL;
        };
    }

    /** Takes the members from the one with this name on and adds them to those before it. */
    JsonObject restOfObject(
            Map<String, JsonValue> members, @Nullable String next, @Nullable Reading reading) {
        for (String name = next; name != null; name = nextName()) {
            if (members.put(name, value(reading)) != null) {
                String twice = "an object has two members named " + name;
                if (reading == null) {
                    throw new JsonException(twice);
                }
                reading.fail("has two members named " + name);
            }
        }
        return new JsonObject(members);
    }

    private JsonArray array(@Nullable Reading reading) {
        List<JsonValue> elements = new ArrayList<>();
        while (nextElement()) {
            elements.add(value(reading));
        }
        return new JsonArray(elements);
    }

    /** Where the current value starts. */
    int position() {
        return base + (int) parser.currentTokenLocation().getByteOffset();
    }

    /**
     * Looks ahead for a member of the object that starts at a position; null if it has none. Does
     * not move.
     */
    @Nullable RawJson find(int position, String member) {
        try (JsonReader ahead = new JsonReader(bytes, position, end - position)) {
            ahead.beginObject();
            for (String name = ahead.nextName(); name != null; name = ahead.nextName()) {
                if (name.equals(member)) {
                    return ahead.raw();
                }
                ahead.skip();
            }
            return null;
        }
    }

    /** Checks that nothing but white space follows the value just taken. */
    public void end() {
        try {
            if (parser.nextToken() != null) {
                throw new JsonException("the text goes on behind its value");
            }
        } catch (JacksonException e) {
            throw failure(e);
        }
    }

    @Override
    public void close() {
        parser.close();
    }

    /** The message is short and repeats nothing of the text, which may hold secrets. */
    private static JsonException failure(JacksonException cause) {
        var location = cause.getLocation();
        String where =
                location == null || location.getByteOffset() < 0
                        ? ""
                        : " at byte " + location.getByteOffset();
        String what =
                cause instanceof StreamConstraintsException
                        ? exceeded(cause)
                        : "the text is not JSON";
        return new JsonException(what + where, cause);
    }

    /** Which of the two limits of the parser was met. */
    private static String exceeded(JacksonException cause) {
        return String.valueOf(cause.getMessage()).contains("getMaxNestingDepth")
                ? "the text is nested more than " + MAX_DEPTH + " levels deep"
                : "a number has more than " + MAX_NUMBER_LENGTH + " characters";
    }
}
