package dev.fairlead.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Encodes texts as values of HTTP headers: unchanged if they are visible ASCII, and otherwise as
 * the Base64 of their UTF-8 between two marks.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *     Streamable HTTP
 */
public final class HeaderText {
    private static final String START = "=?base64?";
    private static final String END = "?=";

    private HeaderText() {}

    /** Returns the value of a header for a text. */
    public static String encode(String text) {
        return isPlain(text)
                ? text
                : START
                        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
                        + END;
    }

    private static boolean isPlain(String text) {
        boolean blankAround = !text.equals(text.strip());
        return !blankAround
                && !(text.startsWith(START) && text.endsWith(END))
                && isVisible(text, false);
    }

    private static boolean isVisible(String text, boolean tabs) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' || c >= 0x7f) && !(tabs && c == '\t')) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the text that the value of a header encodes; empty if the value is not ASCII, or is
     * marked as encoded and is not the one encoding of any text.
     */
    public static Optional<String> decode(String value) {
        if (!isVisible(value, true)) {
            return Optional.empty();
        }
        boolean encoded =
                value.startsWith(START)
                        && value.endsWith(END)
                        && value.length() >= START.length() + END.length();
        return encoded
                ? decodeBase64(value.substring(START.length(), value.length() - END.length()))
                : Optional.of(value);
    }

    private static Optional<String> decodeBase64(String base64) {
        try {
            byte[] utf8 = Base64.getDecoder().decode(base64);
            if (!Base64.getEncoder()
                    .encodeToString(utf8)
                    .equals(base64)) { // such as without padding
                return Optional.empty();
            }
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
