package dev.fairlead.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text as bytes: eight are looked at at once, since a text may be long. */
final class Utf8 {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGHS = 0x8080808080808080L;

    private Utf8() {}

    /**
     * Checks that bytes are UTF-8, and gives where their text starts: behind a byte order mark.
     *
     * @throws JsonException if they are not
     */
    static int start(byte[] bytes) {
        if (isWide(bytes)) {
            throw new JsonException("the text is not UTF-8 but UTF-16 or UTF-32");
        }
        int ascii = ascii(bytes);
        if (ascii < bytes.length) {
            decode(bytes, ascii);
        }
        return bytes.length > 2
                        && bytes[0] == (byte) 0xEF
                        && bytes[1] == (byte) 0xBB
                        && bytes[2] == (byte) 0xBF
                ? 3
                : 0;
    }

    /**
     * Whether a text is UTF-16 or UTF-32. JSON starts with a character of ASCII, which has a zero
     * beside it there; UTF-8 has none. A byte order mark of UTF-16 or UTF-32 has a byte that UTF-8
     * never has.
     */
    private static boolean isWide(byte[] bytes) {
        return bytes.length > 1
                && (bytes[0] == 0
                        || bytes[1] == 0
                        || bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF
                        || bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE);
    }

    /** How many bytes at the start are ASCII. */
    private static int ascii(byte[] bytes) {
        int i = 0;
        while (i <= bytes.length - Long.BYTES && ((long) LONGS.get(bytes, i) & HIGHS) == 0) {
            i += Long.BYTES;
        }
        while (i < bytes.length && bytes[i] >= 0) {
            i++;
        }
        return i;
    }

    private static void decode(byte[] bytes, int start) {
        CharsetDecoder decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, start, bytes.length - start);
        CharBuffer out = CharBuffer.allocate(1024);
        while (true) {
            var result = decoder.decode(in, out.clear(), true);
            if (result.isError()) {
                throw new JsonException("the text is not UTF-8 at byte " + in.position());
            }
            if (result.isUnderflow()) {
                return;
            }
        }
    }
}
