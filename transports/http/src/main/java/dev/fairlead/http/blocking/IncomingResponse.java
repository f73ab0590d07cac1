package dev.fairlead.http.blocking;

import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A response whose body is yet to be read. The connection can be used again once the body was read
 * to its end; closing the body before closes the connection.
 *
 * @param length of the body; {@link Long#MAX_VALUE} if it is not known
 */
public record IncomingResponse(int status, HeaderFields headers, long length, InputStream body) {
    /** Values that name no coding; the last two are no codings, but servers send them. */
    private static final Set<String> PLAIN = Set.of("", "identity", "none", "utf-8");

    /** The codings of the body; none where it is as it was made. */
    public List<String> codings() {
        return headers.all("Content-Encoding").stream()
                .filter(coding -> !PLAIN.contains(coding.toLowerCase(Locale.ROOT)))
                .toList();
    }

    /** Creates a response without headers and body. */
    public static IncomingResponse empty(int status) {
        return new IncomingResponse(status, new HeaderFields(), 0, InputStream.nullInputStream());
    }
}
