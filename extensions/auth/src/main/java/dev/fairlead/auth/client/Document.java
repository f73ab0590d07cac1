package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A JSON object that a server sent: members of another type than asked for count as absent. */
record Document(JsonObject json) {
    /** Empty if it is not a JSON object. */
    static Optional<Document> of(Fetched fetched) {
        return fetched.object().map(Document::new);
    }

    Optional<String> string(String name) {
        return json.get(name) instanceof JsonString text
                ? Optional.of(text.value())
                : Optional.empty();
    }

    /**
     * Returns the strings of a list; a single string counts as those that spaces separate in it.
     */
    List<String> strings(String name) {
        JsonValue value = json.get(name);
        if (value instanceof JsonString text) {
            return Stream.of(text.value().split(" ")).filter(part -> !part.isEmpty()).toList();
        }
        return value instanceof JsonArray array
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

    /** Returns the whole seconds of a number, also if the server sends it as a string. */
    Optional<Long> seconds(String name) {
        JsonValue value = json.get(name);
        if (value instanceof JsonNumber number) {
            return Optional.of((long) number.doubleValue());
        }
        return string(name).filter(text -> text.matches("\\d{1,12}")).map(Long::valueOf);
    }

    /** An absolute URL with a host; anything else counts as absent. */
    Optional<URI> url(String name) {
        return string(name)
                .flatMap(
                        text -> {
                            try {
                                return Optional.of(new URI(text))
                                        .filter(url -> url.isAbsolute() && url.getHost() != null);
                            } catch (URISyntaxException e) {
                                return Optional.empty();
                            }
                        });
    }
}
