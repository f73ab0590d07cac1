package dev.fairlead.showcase;

import java.nio.charset.StandardCharsets;

/** Long texts with every kind of character. */
final class Texts {
    /**
     * A quote, a backslash, control characters, line ends of every kind, the byte order mark, two
     * scripts, a character beyond the basic plane, one that is written as two.
     */
    private static final String SAMPLE =
            "a\"\\/\u0000\u0001\b\t\n\r"
                    + "\f\u007f\u0085\u2028\u2029\ufeff\uffff é 漢字 \ud83d\ude80 e\u0301 ";

    private Texts() {}

    /** A text whose UTF-8 form has at least so many bytes. */
    static String ofSize(int bytes) {
        return SAMPLE.repeat(bytes / SAMPLE.getBytes(StandardCharsets.UTF_8).length + 1);
    }
}
