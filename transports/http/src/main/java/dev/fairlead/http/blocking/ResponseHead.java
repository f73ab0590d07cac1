package dev.fairlead.http.blocking;

import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a response, and the length of its body that follows from it.
 *
 * @param isHttp10 whether the server speaks HTTP/1.0
 * @param length the number of bytes of the body, {@link #CHUNKED} or {@link #TO_THE_END}
 */
record ResponseHead(boolean isHttp10, int status, HeaderFields headers, long length) {
    /** The most bytes of all lines together. */
    static final int MAX = 64 * 1024;

    /** The most lines with header fields. */
    static final int MAX_FIELDS = 500;

    /** The most heads with a status below 200 before the response. */
    static final int MAX_INTERIM = 16;

    /** Bodies in chunks, and bodies that end with the connection. */
    static final long CHUNKED = -1;

    static final long TO_THE_END = -2;

    private static final Pattern TIMEOUT =
            Pattern.compile("(?:^|,)\\s*timeout\\s*=\\s*\"?([0-9]{1,9})", Pattern.CASE_INSENSITIVE);
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-9][0-9]{2}( .*)?");

    /** Reads the head of the final response. */
    static ResponseHead read(SocketConnection connection) throws IOException {
        for (int interim = 0; interim <= MAX_INTERIM; interim++) {
            ResponseHead head = readOne(connection);
            if (head.status == 101) {
                throw new ProtocolException("the server switches protocols unasked");
            }
            if (head.status >= 200) {
                return head;
            }
        }
        throw new ProtocolException("the server sends interim responses without an end");
    }

    private static ResponseHead readOne(SocketConnection connection) throws IOException {
        String first = connection.line(MAX);
        if (!STATUS_LINE.matcher(first).matches()) {
            throw new ProtocolException("the answer begins with no status line of HTTP/1.1");
        }
        HeaderFields headers = new HeaderFields();
        int left = MAX - first.length();
        int lines = 0;
        for (String line = connection.line(left); !line.isEmpty(); line = connection.line(left)) {
            left -= line.length() + 1;
            if (left < 0 || ++lines > MAX_FIELDS) { // lines that continue a field count as well
                throw new ProtocolException("the head of the answer is larger than it may be");
            }
            field(line, headers);
        }
        int status = Integer.parseInt(first, 9, 12, 10);
        return new ResponseHead(
                first.charAt(7) == '0', status, headers, lengthOfBody(status, headers));
    }

    private static void field(String line, HeaderFields headers) throws ProtocolException {
        if ((line.charAt(0) == ' ' || line.charAt(0) == '\t') && headers.size() > 0) {
            headers.continueLast(line.strip());
            return;
        }
        int colon = line.indexOf(':');
        if (colon < 0 || !HeaderFields.isToken(line.substring(0, colon))) {
            throw new ProtocolException("the answer has a header that is none");
        }
        headers.add(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    private static long lengthOfBody(int status, HeaderFields headers) throws ProtocolException {
        if (status < 200 || status == 204 || status == 304) {
            return 0;
        }
        List<String> codings = headers.all("Transfer-Encoding");
        if (!codings.isEmpty()) {
            if (codings.size() > 1 || !codings.get(0).equalsIgnoreCase("chunked")) {
                throw new ProtocolException("the answer has an unknown transfer coding");
            }
            return CHUNKED;
        }
        List<String> lengths = headers.all("Content-Length");
        if (lengths.isEmpty()) {
            return TO_THE_END;
        }
        String length = lengths.getFirst();
        if (!lengths.stream().allMatch(length::equals) || !LENGTH.matcher(length).matches()) {
            throw new ProtocolException("the answer has no valid length");
        }
        return Long.parseLong(length);
    }

    /**
     * Returns how long the connection may wait for another request after the body: not at all, or
     * as long as this client keeps one, or as {@code Keep-Alive} says if that is shorter.
     */
    Duration kept() {
        if (!isKept()) {
            return Duration.ZERO;
        }
        Duration kept = BlockingClient.KEPT;
        for (String value : headers.all("Keep-Alive")) {
            Matcher timeout = TIMEOUT.matcher(value);
            if (timeout.find()) {
                Duration named = Duration.ofSeconds(Long.parseLong(timeout.group(1)));
                kept = named.compareTo(kept) < 0 ? named : kept;
            }
        }
        return kept;
    }

    private boolean isKept() {
        boolean kept =
                isHttp10
                        ? headers.lists("Connection", "keep-alive")
                        : !headers.lists("Connection", "close");
        boolean isDoubtful = length == CHUNKED && headers.first("Content-Length").isPresent();
        return kept && !isDoubtful && length != TO_THE_END;
    }
}
