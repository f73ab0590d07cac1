package dev.fairlead.json;

import java.math.BigDecimal;
import java.util.Objects;

/**
 * A JSON number of any size and precision. Numbers are equal when their mathematical values are, so
 * {@code 1} equals {@code 1.0}, as JSON Schema has it.
 *
 * @param value the number, with the digits that it was written with
 */
public record JsonNumber(BigDecimal value) implements JsonValue {
    /** Refuses null. */
    public JsonNumber {
        Objects.requireNonNull(value, "value");
    }

    static JsonNumber of(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("JSON has no number for " + value);
        }
        return new JsonNumber(BigDecimal.valueOf(value));
    }

    static JsonNumber of(Number value) {
        if (value instanceof BigDecimal decimal) {
            return new JsonNumber(decimal);
        }
        boolean fractional = value instanceof Double || value instanceof Float;
        return fractional && !Double.isFinite(value.doubleValue())
                ? of(value.doubleValue()) // refuses it
                : new JsonNumber(new BigDecimal(value.toString()));
    }

    /** Whether the value is a whole number that fits 64 bits. */
    public boolean isLong() {
        // The first test keeps 1e999999999 from being expanded to a billion digits.
        return value.signum() == 0 || (value.precision() - value.scale() <= 19 && fitsLong());
    }

    private boolean fitsLong() {
        try {
            value.longValueExact();
            return true;
        } catch (ArithmeticException e) {
            return false;
        }
    }

    /**
     * The value as a 64-bit integer.
     *
     * @throws ArithmeticException if {@link #isLong()} is false
     */
    public long longValue() {
        return value.longValueExact();
    }

    /** The double nearest to the value; infinite beyond their range. */
    public double doubleValue() {
        return value.doubleValue();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonNumber number && value.compareTo(number.value) == 0;
    }

    @Override
    public int hashCode() {
        if (value.signum() == 0) {
            return 0;
        }
        boolean stripped = value.scale() == 0 && isLong() && value.longValue() % 10 != 0;
        return stripped ? value.hashCode() : value.stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
