package dev.fairlead.test.support;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The answer to a raw HTTP request.
 *
 * @param head the head with the status line
 */
public record HttpAnswer(int status, String head, String body) {
    /**
     * Reads one answer.
     *
     * @param hasBody false for the answer to HEAD, and for a stream that does not end
     * @throws EOFException if the connection ends before the answer does
     */
    public static HttpAnswer read(InputStream in, boolean hasBody) throws IOException {
        String head = head(in);
        while (head.startsWith("HTTP/1.1 100 ")) {
            head = head(in);
        }
        if (!head.startsWith("HTTP/1.1 ")) {
            throw new IOException("no HTTP answer: " + head);
        }
        int status = Integer.parseInt(head.substring(9, 12));
        return new HttpAnswer(status, head, hasBody ? body(in, head.toLowerCase(Locale.ROOT)) : "");
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) next(in));
        }
        return head.toString();
    }

    private static int next(InputStream in) throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the connection ended within the answer");
        }
        return next;
    }

    private static String body(InputStream in, String head) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (head.contains("transfer-encoding: chunked")) {
            for (int size = chunkSize(in); size > 0; size = chunkSize(in)) {
                body.writeBytes(in.readNBytes(size + 2));
            }
        } else {
            int at = head.indexOf("content-length: ");
            int length =
                    at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf('\r', at)));
            body.writeBytes(in.readNBytes(length));
        }
        return body.toString(StandardCharsets.UTF_8);
    }

    private static int chunkSize(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.indexOf("\r\n") < 0) {
            line.append((char) next(in));
        }
        return Integer.parseInt(line.substring(0, line.indexOf("\r\n")), 16);
    }
}
