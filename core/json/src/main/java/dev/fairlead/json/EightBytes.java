package dev.fairlead.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Searches bytes eight at a time. A word holds eight bytes, the first of them lowest; the result of
 * a test on a word has the highest bit of each byte set that passes. Bytes above the first that
 * passes may be set by a borrow, so only the first is meaningful.
 */
final class EightBytes {
    /** The highest bit of each byte; a word has one of them where a byte is not ASCII. */
    static final long HIGHS = 0x8080808080808080L;

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;

    private EightBytes() {}

    /** Returns the eight bytes from an index on. */
    static long at(byte[] bytes, int index) {
        return (long) WORDS.get(bytes, index);
    }

    /** Tests for a quote, a backslash and control characters, which a string has only escaped. */
    static long specials(long word) {
        // with its bit 1 turned, a quote is the character behind the control characters
        long controlsAndQuote = (word ^ (ONES * 2)) - ONES * (' ' + 1);
        long backslash = (word ^ (ONES * '\\')) - ONES;
        return (controlsAndQuote | backslash) & ~word & HIGHS;
    }

    private static long zeros(long word) {
        return (word - ONES) & ~word;
    }

    /** Returns which byte of a word, from 0 to 7, is the first that passed a test. */
    static int first(long passed) {
        return Long.numberOfTrailingZeros(passed) >>> 3;
    }

    /** Whether a byte is a quote, a backslash or a control character. */
    static boolean isSpecial(byte b) {
        return b == '"' || b == '\\' || (b >= 0 && b < ' ');
    }

    /** Returns the index of the first special byte from an index on, or {@code end}. */
    static int special(byte[] bytes, int from, int end) {
        int i = from;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            long specials = specials(at(bytes, i));
            if (specials != 0) {
                return i + first(specials);
            }
        }
        while (i < end && !isSpecial(bytes[i])) {
            i++;
        }
        return i;
    }

    /** Returns the index of the first byte of this value, which is ASCII, or {@code end}. */
    static int indexOf(char ascii, byte[] bytes, int from, int end) {
        int i = from;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            long found = zeros(at(bytes, i) ^ (ONES * ascii)) & HIGHS;
            if (found != 0) {
                return i + first(found);
            }
        }
        while (i < end && bytes[i] != ascii) {
            i++;
        }
        return i;
    }
}
