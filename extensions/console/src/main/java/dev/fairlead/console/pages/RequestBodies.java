package dev.fairlead.console.pages;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads the bodies of requests of pages. */
public final class RequestBodies {
    private static final int MAX = 64 << 10;

    private RequestBodies() {}

    /** Returns the JSON object of a body; empty if it is something else, too large or broken. */
    public static Optional<JsonObject> read(HttpExchange exchange) {
        return read(exchange, MAX);
    }

    /** Returns the JSON object of a body of at most so many bytes; otherwise empty. */
    public static Optional<JsonObject> read(HttpExchange exchange, int max) {
        try {
            byte[] bytes = exchange.body().readNBytes(max + 1);
            return bytes.length <= max
                            && JsonValue.parse(new String(bytes, StandardCharsets.UTF_8))
                                    instanceof JsonObject object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (IOException | JsonException e) {
            return Optional.empty();
        }
    }
}
