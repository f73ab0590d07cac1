package dev.fairlead.http.loop;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses the head of a request line by line, and continues where it stopped when more bytes have
 * arrived. Confined to one thread.
 *
 * @spec https://www.rfc-editor.org/rfc/rfc9112#section-2 RFC 9112, 2 to 5
 */
final class HeadParser {
    /** The most bytes of a head. */
    static final int MAX = 8 << 10;

    private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
    private static final int INCOMPLETE = -1;

    private byte[] bytes = {};

    /** The start of the head in the bytes; other positions count from there. */
    private int start;

    /**
     * The start of the line that is not parsed yet, and the position up to which its end was
     * searched.
     */
    private int line;

    private int searched;

    private int methodEnd;
    private int targetEnd;
    private boolean oldVersion;
    private int[] fields = new int[16 * RequestHead.FIELD];
    private int used;

    /** Starts with another head. */
    void reset() {
        line = 0;
        searched = 0;
        methodEnd = 0;
        used = 0;
    }

    /**
     * Parses the part of a head that has arrived.
     *
     * @param from where the head begins, with the same bytes as in the call before, and more
     * @return how many bytes the head has; -1 if its end is missing
     * @throws BadRequestException if it cannot become a head
     */
    int parse(byte[] arrived, int from, int to) throws BadRequestException {
        bytes = arrived;
        start = from;
        int available = Math.min(to - from, MAX);
        while (true) {
            int feed = indexOfFeed(available);
            if (feed < 0) {
                checkIncomplete(to - from);
                return INCOMPLETE;
            }
            int end = feed - 1;
            if (end < line || at(end) != '\r') {
                throw BadRequestException.malformed("A line must end with CR LF");
            }
            int begin = line;
            line = feed + 1;
            searched = line;
            if (begin < end && methodEnd == 0) {
                parseRequestLine(begin, end);
            } else if (begin < end) {
                parseField(begin, end);
            } else if (methodEnd > 0) {
                return line;
            } else if (begin > 0) {
                throw BadRequestException.malformed("Empty lines precede the request");
            }
        }
    }

    /** The head, once it was parsed to its end. */
    RequestHead head() throws BadRequestException {
        int methodStart = at(0) == '\r' ? 2 : 0;
        byte[] own = Arrays.copyOfRange(bytes, start, start + line);
        String target =
                new String(
                        own, methodEnd + 1, targetEnd - methodEnd - 1, StandardCharsets.US_ASCII);
        return new RequestHead(
                own,
                Arrays.copyOf(fields, used),
                method(own, methodStart),
                RequestTarget.parse(target),
                oldVersion);
    }

    private String method(byte[] own, int from) throws BadRequestException {
        String method = new String(own, from, methodEnd - from, StandardCharsets.US_ASCII);
        if (method.equals("CONNECT")) {
            throw BadRequestException.malformed("There is no CONNECT");
        }
        return method;
    }

    private byte at(int position) {
        return bytes[start + position];
    }

    private int indexOfFeed(int end) {
        while (searched < end) {
            if (at(searched) == '\n') {
                return searched;
            }
            searched++;
        }
        return -1;
    }

    private void checkIncomplete(int arrived) throws BadRequestException {
        if (methodEnd == 0) {
            checkBeginning(Math.min(arrived, MAX));
        }
        if (arrived >= MAX) {
            throw methodEnd == 0
                    ? new BadRequestException(414, "The target is too long")
                    : new BadRequestException(431, "The fields are too large");
        }
    }

    /** A client that speaks something else, such as TLS, may never send the end of a line. */
    private void checkBeginning(int end) throws BadRequestException {
        for (int i = line; i < end; i++) {
            byte c = at(i);
            if ((c < ' ' || c == 127) && !(c == '\r' && i == end - 1)) {
                throw BadRequestException.malformed("The request line has a control character");
            }
        }
    }

    private void parseRequestLine(int begin, int end) throws BadRequestException {
        int i = skipToken(begin, end);
        if (i == begin || i == end || at(i) != ' ') {
            throw BadRequestException.malformed("The request line has no method");
        }
        int method = i++;
        while (i < end && at(i) > ' ' && at(i) != 127) {
            i++;
        }
        if (i == end || at(i) != ' ' || i == method + 1) {
            throw BadRequestException.malformed("The request line has no target");
        }
        targetEnd = i;
        oldVersion = isOldVersion(i + 1, end);
        methodEnd = method;
    }

    private boolean isOldVersion(int from, int end) throws BadRequestException {
        if (end - from != VERSION.length + 1) {
            throw BadRequestException.malformed("The request line has no version");
        }
        int minorAt = start + end - 1;
        int other = Arrays.mismatch(bytes, start + from, minorAt, VERSION, 0, VERSION.length);
        byte minor = bytes[minorAt];
        if (other >= 0 || (minor != '0' && minor != '1')) {
            boolean isHttp = other < 0 || other >= "HTTP/".length();
            throw new BadRequestException(isHttp ? 505 : 400, "The version is not HTTP/1.1");
        }
        return minor == '0';
    }

    private void parseField(int begin, int end) throws BadRequestException {
        int colon = skipToken(begin, end);
        if (colon == begin || colon == end || at(colon) != ':') {
            throw BadRequestException.malformed("A field has no name, or a space after it");
        }
        int from = colon + 1;
        while (from < end && isSpace(at(from))) {
            from++;
        }
        int to = end;
        while (to > from && isSpace(at(to - 1))) {
            to--;
        }
        for (int i = from; i < to; i++) {
            if (!Syntax.isValue(at(i) & 0xff)) {
                throw BadRequestException.malformed("A field has a control character");
            }
        }
        add(begin, colon, from, to);
    }

    private void add(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        if (used == fields.length) {
            fields = Arrays.copyOf(fields, 2 * used);
        }
        fields[used++] = nameStart;
        fields[used++] = nameEnd;
        fields[used++] = valueStart;
        fields[used++] = valueEnd;
    }

    private int skipToken(int from, int end) {
        int i = from;
        while (i < end && Syntax.isToken(at(i))) {
            i++;
        }
        return i;
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\t';
    }
}
