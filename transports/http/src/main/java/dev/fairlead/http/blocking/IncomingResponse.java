package dev.fairlead.http.blocking;

import java.io.InputStream;

/**
 * A response whose body is yet to be read. The connection can be used again once the body was read
 * to its end; closing the body before closes the connection.
 *
 * @param length of the body; {@link Long#MAX_VALUE} if it is not known
 */
public record IncomingResponse(int status, HeaderFields headers, long length, InputStream body) {
    /** Creates a response without headers and body. */
    public static IncomingResponse empty(int status) {
        return new IncomingResponse(status, new HeaderFields(), 0, InputStream.nullInputStream());
    }
}
