package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Deadline;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A JSON object that a server sent: members of another type than asked for count as absent. */
record Document(JsonObject json) {
    private static final System.Logger LOGGER = System.getLogger(Document.class.getName());

    /**
     * Fetches the document at a URL; empty if there is none, or it cannot be fetched.
     *
     * @throws AuthorizationException if the deadline has passed
     */
    static Optional<Document> at(URI place, Fetch fetch, Deadline deadline)
            throws InterruptedIOException {
        try {
            Fetched fetched = fetch.get(place, deadline);
            return fetched.status() == 200 ? of(fetched) : Optional.empty();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            if (deadline.isOver()) {
                throw new AuthorizationException(
                        "Timed out: the metadata did not arrive within " + deadline, e);
            }
            LOGGER.log(Level.DEBUG, "No metadata: {0}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Empty if it is not a JSON object. */
    static Optional<Document> of(Fetched fetched) {
        return fetched.object().map(Document::new);
    }

    Optional<String> string(String name) {
        return json.get(name) instanceof JsonString text
                ? Optional.of(text.value())
                : Optional.empty();
    }

    List<String> strings(String name) {
        return json.get(name) instanceof JsonArray array
                ? array.elements().stream()
                        .flatMap(
                                element ->
                                        element instanceof JsonString text
                                                ? Stream.of(text.value())
                                                : Stream.of())
                        .toList()
                : List.of();
    }

    boolean isTrue(String name) {
        return json.get(name) instanceof JsonBoolean flag && flag.value();
    }

    /** Returns a whole number, also if the server sends it as a string. */
    Optional<Long> seconds(String name) {
        JsonValue value = json.get(name);
        if (value instanceof JsonNumber number && number.isLong()) {
            return Optional.of(number.longValue());
        }
        return string(name).filter(text -> text.matches("\\d{1,12}")).map(Long::valueOf);
    }

    /**
     * An absolute URL.
     *
     * @throws AuthorizationException if it is none
     */
    Optional<URI> url(String name) {
        return string(name)
                .map(
                        text -> {
                            try {
                                URI url = new URI(text);
                                if (url.isAbsolute()) {
                                    return url;
                                }
                            } catch (URISyntaxException e) {
                                // reported below
                            }
                            throw new AuthorizationException(
                                    name + " in the metadata must be an absolute URL");
                        });
    }
}
