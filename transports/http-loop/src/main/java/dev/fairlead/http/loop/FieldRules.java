package dev.fairlead.http.loop;

import dev.fairlead.http.spi.AddressLiteral;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the length of the body, the host and the options of the connection from the fields of a
 * request. Refuses fields that two parties could read differently.
 *
 * @spec https://www.rfc-editor.org/rfc/rfc9112#section-6 RFC 9112, 6
 */
final class FieldRules {
    private static final String CHUNKED = "chunked";

    /** A larger body is none: its length would not be a positive number of 64 bits. */
    static final int DIGITS = 18;

    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

    private static final int LAST_PORT = 65_535;

    private final RequestHead head;

    FieldRules(RequestHead head) {
        this.head = head;
    }

    /**
     * Checks that there is one host, which an absolute target does not contradict. A request of
     * HTTP/1.0 may have none.
     */
    void checkHost(@Nullable String authority) throws BadRequestException {
        List<String> hosts = head.values("Host");
        if (hosts.isEmpty() && head.isOldVersion() && authority == null) {
            return;
        }
        if (hosts.size() != 1) {
            throw BadRequestException.malformed("There must be one Host");
        }
        String host = hosts.get(0);
        if (!isHost(host)) {
            throw BadRequestException.malformed("Host is not a host");
        }
        if (authority != null && !authority.equalsIgnoreCase(host)) {
            throw BadRequestException.malformed("The target contradicts Host");
        }
    }

    private static boolean isHost(String text) {
        Matcher host = HOST.matcher(text);
        if (!host.matches()) {
            return false;
        }
        String name = host.group(1);
        if (name.startsWith("[") && AddressLiteral.parse(name).isEmpty()) {
            return false;
        }
        int port = host.group(2) == null ? 1 : Integer.parseInt(host.group(2));
        return port > 0 && port <= LAST_PORT;
    }

    /**
     * Returns whether the body comes in chunks. Codings before that are left to the application.
     */
    boolean isChunked() throws BadRequestException {
        List<String> values = head.values("Transfer-Encoding");
        if (values.isEmpty()) {
            return false;
        }
        if (values.size() > 1 || head.isOldVersion()) {
            throw BadRequestException.malformed("Transfer-Encoding is repeated, or of HTTP/1.0");
        }
        List<String> codings = list(values.get(0));
        boolean last = codings.get(codings.size() - 1).equalsIgnoreCase(CHUNKED);
        long count = codings.stream().filter(CHUNKED::equalsIgnoreCase).count();
        if (!last || count != 1 || !codings.stream().allMatch(Syntax::isToken)) {
            throw new BadRequestException(
                    count == 0 ? 501 : 400, "Transfer-Encoding must end with chunked");
        }
        return true;
    }

    private static List<String> list(String value) {
        return List.of(value.split("[ \t]*,[ \t]*", -1));
    }

    /** The length of a body that does not come in chunks. */
    long length() throws BadRequestException {
        List<String> values = head.values("Content-Length");
        if (values.isEmpty()) {
            return 0;
        }
        String value = values.get(0);
        if (values.size() > 1 || !head.values("Transfer-Encoding").isEmpty()) {
            throw BadRequestException.malformed("There are two lengths");
        }
        if (value.isEmpty()
                || value.length() > DIGITS
                || !value.chars().allMatch(Syntax::isDigit)) {
            throw BadRequestException.malformed("Content-Length is not a number");
        }
        return Long.parseLong(value);
    }

    /** Returns whether the client closes the connection after the answer. */
    boolean isLast() {
        if (head.isOldVersion()) {
            return true;
        }
        List<String> values = head.values("Connection");
        return !values.isEmpty()
                && values.stream()
                        .flatMap(value -> list(value).stream())
                        .anyMatch("close"::equalsIgnoreCase);
    }

    boolean isContinueExpected() throws BadRequestException {
        List<String> values = head.values("Expect");
        if (values.isEmpty()) {
            return false;
        }
        if (values.size() > 1 || !values.get(0).equalsIgnoreCase("100-continue")) {
            throw new BadRequestException(417, "Only 100-continue can be expected");
        }
        return !head.isOldVersion();
    }
}
