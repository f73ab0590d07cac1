package dev.fairlead.auth.fetch;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a fetch.
 *
 * @param headers by their names in lower case
 * @param body within the limit of size
 */
public record Fetched(int status, Map<String, List<String>> headers, byte[] body) {
    /** The first value of a header. */
    public Optional<String> header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
    }

    /** Returns whether the status is one of success. */
    public boolean isSuccess() {
        return status / 100 == 2;
    }

    /** Returns whether it should be a JSON object, by its status, and is none. */
    public boolean isUnreadable() {
        return isSuccess() && object().isEmpty();
    }

    /** The body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The JSON object that the body is; empty if it is none. */
    public Optional<JsonObject> object() {
        try {
            return JsonValue.parse(text()) instanceof JsonObject object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    /**
     * The JSON object that the body is.
     *
     * @throws IOException if it is none; the message does not quote it
     */
    public JsonObject json() throws IOException {
        return object().orElseThrow(() -> new IOException("there is no JSON object in " + this));
    }

    /** Returns a text without the body, which may contain tokens. */
    @Override
    public String toString() {
        return "an answer with status "
                + status
                + " and "
                + body.length
                + " bytes"
                + header("Content-Type").map(type -> " of " + PlainText.of(type)).orElse("");
    }
}
