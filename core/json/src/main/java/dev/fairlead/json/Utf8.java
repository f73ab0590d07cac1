package dev.fairlead.json;

/** The encoding of texts. */
final class Utf8 {
    private Utf8() {}

    /**
     * Returns where the text in the first of these bytes starts: behind a byte order mark.
     *
     * @throws JsonException if they are UTF-16 or UTF-32
     */
    static int start(byte[] bytes, int length) {
        if (isWide(bytes, length)) {
            throw new JsonException("the text is not UTF-8 but UTF-16 or UTF-32");
        }
        return length > 2
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
    private static boolean isWide(byte[] bytes, int length) {
        return length > 1
                && (bytes[0] == 0
                        || bytes[1] == 0
                        || (bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF)
                        || (bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE));
    }

    /**
     * Returns how many bytes a character beyond ASCII has, or 0 if it is malformed: cut off, longer
     * than it need be, half a surrogate pair or beyond Unicode.
     *
     * @spec https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27506 Table 3-7,
     *     Well-Formed UTF-8 Byte Sequences
     */
    static int length(byte[] bytes, int index, int end) {
        int lead = bytes[index] & 0xFF;
        if (lead >= 0xC2 && lead <= 0xDF) {
            return isTail(bytes, index + 1, end) ? 2 : 0;
        }
        if (lead >= 0xE0 && lead <= 0xEF) {
            int least = lead == 0xE0 ? 0xA0 : 0x80;
            int most = lead == 0xED ? 0x9F : 0xBF;
            return isBetween(least, most, bytes, index + 1, end) && isTail(bytes, index + 2, end)
                    ? 3
                    : 0;
        }
        if (lead >= 0xF0 && lead <= 0xF4) {
            int least = lead == 0xF0 ? 0x90 : 0x80;
            int most = lead == 0xF4 ? 0x8F : 0xBF;
            return isBetween(least, most, bytes, index + 1, end)
                            && isTail(bytes, index + 2, end)
                            && isTail(bytes, index + 3, end)
                    ? 4
                    : 0;
        }
        return 0;
    }

    /** Returns whether these bytes are this text, which is ASCII: any other one they never are. */
    static boolean isText(String ascii, byte[] bytes, int from, int to) {
        if (to - from != ascii.length()) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (bytes[i] != ascii.charAt(i - from)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTail(byte[] bytes, int index, int end) {
        return index < end && bytes[index] < (byte) 0xC0;
    }

    private static boolean isBetween(int least, int most, byte[] bytes, int index, int end) {
        return index < end && (bytes[index] & 0xFF) >= least && (bytes[index] & 0xFF) <= most;
    }
}
