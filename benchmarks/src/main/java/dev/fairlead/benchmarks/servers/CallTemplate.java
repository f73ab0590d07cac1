package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.servers.Contender.Mode;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The call that is sent again and again: only its id changes, which is part of the text too, so
 * that no answer can be taken for another one. Used by one thread.
 */
final class CallTemplate {
    /** Ids have as many digits as this. */
    static final int FIRST_ID = 10_000_000;

    private static final int DIGITS = 8;

    /** What a request of revision 2026-07-28 says of its client. */
    private static final String META =
            """
            ,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{},\
            "io.modelcontextprotocol/clientInfo":{"name":"benchmark","version":"1"}}\
            """;

    private final ByteBuffer request;
    private final int idAt;
    private final int textAt;
    private final byte[] expectedId;
    private final byte[] expectedText;
    private int id = FIRST_ID;

    /**
     * @param size of the text, in bytes
     */
    CallTemplate(String headers, Contender contender, int size) {
        String text = FIRST_ID + "x".repeat(size - DIGITS);
        String body =
                """
                {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":{"text":"%s"}%s}}\
                """
                        .formatted(
                                FIRST_ID,
                                contender.tool(),
                                text,
                                contender.mode() == Mode.PER_REQUEST ? META : "");
        String head = headers + "Content-Length: " + body.length() + "\r\n\r\n";
        byte[] bytes = (head + body).getBytes(StandardCharsets.US_ASCII);
        request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        idAt = head.length() + body.indexOf("" + FIRST_ID);
        textAt = head.length() + body.indexOf(text);
        expectedId = ("\"id\":" + FIRST_ID).getBytes(StandardCharsets.US_ASCII);
        expectedText = ("\"text\":\"" + text + "\"").getBytes(StandardCharsets.US_ASCII);
    }

    /** The bytes of the next call. */
    ByteBuffer next() {
        id++;
        for (int digit = DIGITS - 1, rest = id; digit >= 0; digit--, rest /= 10) {
            byte character = (byte) ('0' + rest % 10);
            request.put(idAt + digit, character).put(textAt + digit, character);
            expectedId[expectedId.length - DIGITS + digit] = character;
            expectedText["\"text\":\"".length() + digit] = character;
        }
        return request.clear();
    }

    /** Whether an answer is the one to the last call. */
    boolean isAnsweredBy(byte[] bytes, int from, int to) {
        return contains(bytes, from, to, expectedId) && contains(bytes, from, to, expectedText);
    }

    private static boolean contains(byte[] body, int from, int to, byte[] wanted) {
        for (int at = from; at <= to - wanted.length; at++) {
            if (body[at] == wanted[0]
                    && body[at + 1] == wanted[1]
                    && body[at + 2] == wanted[2]
                    && Arrays.equals(body, at, at + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }
}
