package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

/**
 * The numbers of Java. A whole number may be written with a fraction of zero: {@code 5.0} is an
 * integer.
 */
enum NumberShape implements Shape {
    BYTE(Byte.MIN_VALUE, Byte.MAX_VALUE),
    SHORT(Short.MIN_VALUE, Short.MAX_VALUE),
    INT(Integer.MIN_VALUE, Integer.MAX_VALUE),
    LONG(Long.MIN_VALUE, Long.MAX_VALUE),
    BIG_INTEGER(0, 0),
    FLOAT(0, 0),
    DOUBLE(0, 0),
    BIG_DECIMAL(0, 0);

    private final long min;
    private final long max;

    NumberShape(long min, long max) {
        this.min = min;
        this.max = max;
    }

    /** Whether these are integers. */
    boolean whole() {
        return compareTo(BIG_INTEGER) <= 0;
    }

    private boolean fixed() {
        return compareTo(LONG) <= 0;
    }

    private String expected() {
        return whole() ? "an integer" : "a number";
    }

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() == JsonReader.Kind.NUMBER) {
            if (fixed() && reader.isLong()) {
                return fromLong(reader.longValue(), reading);
            }
            BigDecimal number = reader.number(reading);
            return number == null ? null : fromDecimal(number, reading);
        }
        if (reader.kind() == JsonReader.Kind.STRING && reading.fromText()) {
            return fromText(reader.string(), reading);
        }
        return reading.wrongKind(expected(), reader);
    }

    private @Nullable Object fromLong(long value, Reading reading) {
        if (value < min || value > max) {
            return reading.fail("must be from " + min + " to " + max);
        }
        return switch (this) {
            case BYTE -> (byte) value;
            case SHORT -> (short) value;
            case INT -> (int) value;
            default -> value;
        };
    }

    private @Nullable Object fromDecimal(BigDecimal value, Reading reading) {
        return switch (this) {
            case BYTE, SHORT, INT, LONG -> {
                if (new JsonNumber(value).isLong()) {
                    yield fromLong(value.longValueExact(), reading);
                }
                yield reading.fail(
                        isWhole(value)
                                ? "must be from " + min + " to " + max
                                : "must be an integer");
            }
            case BIG_INTEGER -> fromWhole(value, reading);
            case FLOAT -> {
                float number = value.floatValue();
                yield Float.isInfinite(number) ? reading.fail("is too large") : number;
            }
            case DOUBLE -> {
                double number = value.doubleValue();
                yield Double.isInfinite(number) ? reading.fail("is too large") : number;
            }
            case BIG_DECIMAL -> value;
        };
    }

    private static @Nullable Object fromWhole(BigDecimal value, Reading reading) {
        if (!isWhole(value)) {
            return reading.fail("must be an integer");
        }
        // 1e999999999 is a short text, but a number of a billion digits.
        if ((long) value.precision() - value.scale() > JsonReader.MAX_NUMBER_LENGTH) {
            return reading.fail("must have at most " + JsonReader.MAX_NUMBER_LENGTH + " digits");
        }
        return value.toBigIntegerExact();
    }

    /** Whether a number is whole, without expanding its digits. */
    private static boolean isWhole(BigDecimal value) {
        return value.signum() == 0 || value.scale() <= 0 || value.stripTrailingZeros().scale() <= 0;
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        switch (this) {
            case BYTE, SHORT, INT, LONG -> writer.number(((Number) value).longValue());
            case BIG_INTEGER -> writer.number(new BigDecimal((BigInteger) value));
            case FLOAT -> writeFloat((float) value, writer);
            case DOUBLE -> writer.number((double) value);
            case BIG_DECIMAL -> writer.number((BigDecimal) value);
        }
    }

    /** A float keeps its own short digits: 0.1, not the double next to it. */
    private static void writeFloat(float value, JsonWriter writer) {
        if (Float.isFinite(value)) {
            writer.number(new BigDecimal(Float.toString(value)));
        } else {
            writer.number((double) value); // refused
        }
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        Map<String, JsonValue> schema = SchemaBuilder.type(whole() ? "integer" : "number");
        if (this == BYTE || this == SHORT) {
            schema.put("minimum", JsonValue.of(min));
            schema.put("maximum", JsonValue.of(max));
        }
        return schema;
    }

    @Override
    public JsonReader.Kind kind() {
        return JsonReader.Kind.NUMBER;
    }

    @Override
    public boolean isText() {
        return true;
    }

    @Override
    public @Nullable Object fromText(String text, Reading reading) {
        if (text.length() > JsonReader.MAX_NUMBER_LENGTH) {
            return reading.fail("must be " + expected());
        }
        BigDecimal value;
        try {
            value = new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            return reading.fail("must be " + expected());
        }
        return fromDecimal(value, reading);
    }

    @Override
    public String toText(Object value) {
        return value.toString();
    }
}
