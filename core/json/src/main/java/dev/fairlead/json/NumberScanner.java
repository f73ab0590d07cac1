package dev.fairlead.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;

/** Finds the end of numbers, and computes the one found last. For use by one thread. */
final class NumberScanner {
    private static final int DIGITS_OF_LONG = 19;

    private final Source source;
    private final byte[] bytes;
    private final int end;

    private int from;
    private int to;
    private int digits; // in all parts
    private boolean isInteger; // written without fraction and exponent

    NumberScanner(Source source) {
        this.source = source;
        bytes = source.bytes();
        end = source.end();
    }

    /** Passes over the number that starts at an index; returns the index behind it. */
    int pass(int start) {
        from = start;
        digits = 0;
        int whole = bytes[start] == '-' ? start + 1 : start;
        int i = digits(whole);
        if (bytes[whole] == '0' && i > whole + 1) {
            throw source.expected(whole + 1, "no digit behind a leading zero");
        }
        isInteger = true;
        if (i < end && bytes[i] == '.') {
            isInteger = false;
            i = digits(i + 1);
        }
        if (i < end && (bytes[i] == 'e' || bytes[i] == 'E')) {
            isInteger = false;
            i = digits(isSign(i + 1) ? i + 2 : i + 1);
        }
        if (digits > JsonReader.MAX_NUMBER_LENGTH) {
            throw source.numberTooLong(start);
        }
        to = i;
        return i;
    }

    private boolean isSign(int index) {
        return index < end && (bytes[index] == '+' || bytes[index] == '-');
    }

    /** Passes over one digit or more. */
    private int digits(int start) {
        int i = start;
        while (i < end && bytes[i] >= '0' && bytes[i] <= '9') {
            i++;
        }
        if (i == start) {
            throw source.expected(i, "a digit");
        }
        digits += i - start;
        return i;
    }

    /**
     * Returns the number found last, with the digits that it has.
     *
     * @throws JsonException if its exponent is beyond those of a {@link BigDecimal}
     */
    BigDecimal decimal() {
        if (isInteger && digits < DIGITS_OF_LONG) {
            return BigDecimal.valueOf(longValue());
        }
        try {
            return new BigDecimal(new String(bytes, from, to - from, ISO_8859_1));
        } catch (ArithmeticException | NumberFormatException e) {
            throw new JsonException("a number is beyond all bounds", e);
        }
    }

    /** Whether the number found last is an integer of 64 bits. */
    boolean isLong() {
        if (!isInteger || digits > DIGITS_OF_LONG) {
            return false;
        }
        if (digits < DIGITS_OF_LONG) {
            return true;
        }
        long magnitude = magnitude();
        return magnitude >= 0 || (isNegative() && magnitude == Long.MIN_VALUE);
    }

    /** Returns the number found last, for which {@link #isLong} holds. */
    long longValue() {
        return isNegative() ? -magnitude() : magnitude();
    }

    private boolean isNegative() {
        return bytes[from] == '-';
    }

    /** Returns up to 19 digits as an unsigned number, into which they fit. */
    private long magnitude() {
        long magnitude = 0;
        for (int i = isNegative() ? from + 1 : from; i < to; i++) {
            magnitude = magnitude * 10 + (bytes[i] - '0');
        }
        return magnitude;
    }
}
