package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/** The types that are written as one JSON scalar, and those that are any JSON. */
final class Scalars {
    private static final Map<Class<?>, Shape> SHAPES = new HashMap<>();

    /** The durations that Java reads, and none whose seconds a long cannot hold. */
    private static final String DURATION =
            "^-?P(?=.)(-?[0-9]{1,9}D)?"
                + "(T(?=.)(-?[0-9]{1,15}H)?(-?[0-9]{1,16}M)?(-?[0-9]{1,18}(\\.[0-9]{1,9})?S)?)?$";

    static {
        SHAPES.put(String.class, TextShape.STRING);
        both(boolean.class, Boolean.class, BooleanShape.BOOLEAN);
        both(byte.class, Byte.class, NumberShape.BYTE);
        both(short.class, Short.class, NumberShape.SHORT);
        both(int.class, Integer.class, NumberShape.INT);
        both(long.class, Long.class, NumberShape.LONG);
        both(float.class, Float.class, NumberShape.FLOAT);
        both(double.class, Double.class, NumberShape.DOUBLE);
        SHAPES.put(BigInteger.class, NumberShape.BIG_INTEGER);
        SHAPES.put(BigDecimal.class, NumberShape.BIG_DECIMAL);

        format(
                Instant.class,
                "a date-time such as 2026-01-31T10:15:30Z",
                text -> dateTime(text).toInstant(),
                Object::toString,
                "date-time");
        format(
                OffsetDateTime.class,
                "a date-time such as 2026-01-31T10:15:30+02:00",
                Scalars::dateTime,
                value -> DateTimeFormatter.ISO_OFFSET_DATE_TIME.format((OffsetDateTime) value),
                "date-time");
        format(
                LocalDate.class,
                "a date such as 2026-01-31",
                LocalDate::parse,
                Object::toString,
                "date");
        plain(
                LocalDateTime.class,
                "a date and time such as 2026-01-31T10:15:30",
                LocalDateTime::parse);
        plain(LocalTime.class, "a time such as 10:15:30", LocalTime::parse);
        // RFC 3339 has no durations with a fraction or a sign
        SHAPES.put(
                Duration.class,
                new TextShape(
                        "a duration such as PT1H30M",
                        Duration::parse,
                        Scalars::duration,
                        JsonObject.of("pattern", DURATION)));
        format(URI.class, "a URI", URI::create, value -> ascii((URI) value), "uri-reference");
        format(UUID.class, "a UUID", Scalars::uuid, Object::toString, "uuid");
        SHAPES.put(
                byte[].class,
                new TextShape(
                        "bytes in Base64",
                        text -> Base64.getDecoder().decode(text),
                        bytes -> Base64.getEncoder().encodeToString((byte[]) bytes),
                        JsonObject.of("contentEncoding", "base64")));

        SHAPES.put(JsonValue.class, TreeShape.ANY);
        SHAPES.put(JsonObject.class, TreeShape.OBJECT);
        SHAPES.put(JsonArray.class, TreeShape.ARRAY);
        SHAPES.put(JsonString.class, TreeShape.STRING);
        SHAPES.put(JsonNumber.class, TreeShape.NUMBER);
        SHAPES.put(JsonBoolean.class, TreeShape.BOOLEAN);
        SHAPES.put(JsonNull.class, TreeShape.NULL);
        SHAPES.put(RawJson.class, RawShape.RAW);
        SHAPES.put(JsonSchema.class, SchemaShape.SCHEMA);
        SHAPES.put(Object.class, AnyShape.ANY);
    }

    private static final long MOST_HOURS = 1_000_000_000_000_000L;

    private Scalars() {}

    private static void both(Class<?> primitive, Class<?> box, Shape shape) {
        SHAPES.put(primitive, shape);
        SHAPES.put(box, shape);
    }

    private static void format(
            Class<?> type,
            String expected,
            Function<String, Object> parse,
            Function<Object, String> print,
            String format) {
        SHAPES.put(
                type,
                new TextShape(
                        expected,
                        parse,
                        value -> inFormat(print, value, format),
                        JsonObject.of("format", format)));
    }

    /**
     * Prints a value as its schema promises.
     *
     * @throws IllegalArgumentException if the format has no text for it, such as a year of five
     *     digits
     */
    private static String inFormat(Function<Object, String> print, Object value, String format) {
        String text = print.apply(value);
        if (!Objects.requireNonNull(TextFormat.named(format)).fits().test(text)) {
            throw new IllegalArgumentException(
                    "%s %s has no text of the format %s of JSON Schema; use another value or type"
                            .formatted(value.getClass().getSimpleName(), text, format));
        }
        return text;
    }

    private static String duration(Object value) {
        long hours = ((Duration) value).toHours();
        if (hours >= MOST_HOURS || hours <= -MOST_HOURS) {
            throw new IllegalArgumentException(
                    "Duration " + value + " has more than 15 digits of hours; use a shorter one");
        }
        return value.toString();
    }

    /** Java also reads dates that RFC 3339 does not know, and not all that it knows. */
    private static OffsetDateTime dateTime(String text) {
        OffsetDateTime known = TextFormat.dateTime(text);
        return known == null ? OffsetDateTime.parse(text) : known;
    }

    /** Escapes the characters that RFC 3986 allows only as escapes, unlike Java. */
    private static String ascii(URI uri) {
        String text = uri.toASCIIString();
        int query = text.indexOf('?');
        int rest = query < 0 ? text.indexOf('#') : query;
        return rest < 0
                ? text
                : text.substring(0, rest)
                        + text.substring(rest).replace("[", "%5B").replace("]", "%5D");
    }

    private static void plain(Class<?> type, String expected, Function<String, Object> parse) {
        SHAPES.put(type, new TextShape(expected, parse, Object::toString, JsonObject.EMPTY));
    }

    /** {@link UUID#fromString} also takes shorter groups of digits. */
    private static UUID uuid(String text) {
        if (text.length() != 36) {
            throw new IllegalArgumentException("not a UUID");
        }
        return UUID.fromString(text);
    }

    /** The shape of a scalar class, or null if it is none. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static @Nullable Shape of(Class<?> type, JsonTypes types) {
        return type.isEnum() && !JsonValue.class.isAssignableFrom(type)
                ? EnumShape.of((Class) type, types.description(type))
                : SHAPES.get(type);
    }
}
