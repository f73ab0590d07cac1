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
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** The types that are written as one JSON scalar, and those that are any JSON. */
final class Scalars {
    private static final Map<Class<?>, Shape> SHAPES = new HashMap<>();

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
                Instant::parse,
                "date-time");
        format(
                OffsetDateTime.class,
                "a date-time such as 2026-01-31T10:15:30+02:00",
                OffsetDateTime::parse,
                "date-time");
        format(LocalDate.class, "a date such as 2026-01-31", LocalDate::parse, "date");
        plain(
                LocalDateTime.class,
                "a date and time such as 2026-01-31T10:15:30",
                LocalDateTime::parse);
        plain(LocalTime.class, "a time such as 10:15:30", LocalTime::parse);
        format(Duration.class, "a duration such as PT1H30M", Duration::parse, "duration");
        format(URI.class, "a URI", URI::create, "uri");
        format(UUID.class, "a UUID", Scalars::uuid, "uuid");
        SHAPES.put(
                byte[].class,
                new TextShape(
                        "bytes in Base64",
                        text -> Base64.getDecoder().decode(text),
                        bytes -> Base64.getEncoder().encodeToString((byte[]) bytes),
                        "contentEncoding",
                        "base64"));

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

    private Scalars() {}

    private static void both(Class<?> primitive, Class<?> box, Shape shape) {
        SHAPES.put(primitive, shape);
        SHAPES.put(box, shape);
    }

    private static void format(
            Class<?> type, String expected, Function<String, Object> parse, String format) {
        SHAPES.put(type, new TextShape(expected, parse, Object::toString, "format", format));
    }

    private static void plain(Class<?> type, String expected, Function<String, Object> parse) {
        SHAPES.put(type, new TextShape(expected, parse, Object::toString, null, ""));
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
