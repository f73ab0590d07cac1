package dev.fairlead.auth.proxy;

import dev.fairlead.http.spi.HttpExchange;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads the body of a request. */
final class PostedBody {
    /** The largest body that is taken, in bytes. */
    static final int MAX_SIZE = 16 * 1024;

    /** How much more is read, so that a client that sends before it listens gets its answer. */
    private static final int DRAINED = 1024 * 1024;

    private PostedBody() {}

    /**
     * @param mediaType that the request must say it has
     */
    static String read(HttpExchange exchange, String mediaType) throws OAuthFailure {
        String type = exchange.header("Content-Type").orElse("").split(";", 2)[0].strip();
        if (!type.equalsIgnoreCase(mediaType)) {
            throw new OAuthFailure(415, "invalid_request", "The body must be " + mediaType);
        }
        try (InputStream body = exchange.body()) {
            byte[] bytes = body.readNBytes(MAX_SIZE + 1);
            if (bytes.length > MAX_SIZE) {
                body.skip(DRAINED);
                throw new OAuthFailure(
                        413, "invalid_request", "The body may have " + MAX_SIZE + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw OAuthFailure.invalidRequest("The body is not complete");
        }
    }
}
