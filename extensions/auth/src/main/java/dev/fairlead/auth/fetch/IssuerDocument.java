package dev.fairlead.auth.fetch;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The metadata that an issuer publishes, by RFC 8414 and by OpenID. The URLs are tried in the order
 * of the specification. A document of another issuer is refused.
 */
public final class IssuerDocument {
    private final String issuer;
    private final Fetch fetch;

    /**
     * @param issuer exactly as in its metadata
     */
    public IssuerDocument(String issuer, Fetch fetch) {
        this.issuer = issuer;
        this.fetch = fetch;
    }

    /**
     * Returns the metadata at the first place that has any. A page, as servers send for unknown
     * paths, is none.
     *
     * @throws IOException if there is none, a place does not answer before one has been found, or
     *     the metadata is that of another issuer
     */
    public JsonObject metadata() throws IOException {
        Deadline deadline = fetch.deadline();
        List<String> answers = new ArrayList<>();
        for (URI place : places()) {
            Fetched answer = answer(place, deadline);
            Optional<JsonObject> found =
                    answer.status() == 200 ? answer.object() : Optional.empty();
            if (found.isPresent()) {
                return own(found.get());
            }
            answers.add(place + ": status " + answer.status());
        }
        throw new IOException(issuer + " publishes no metadata: " + String.join("; ", answers));
    }

    private Fetched answer(URI place, Deadline deadline) throws IOException {
        try {
            return fetch.get(place, deadline);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw PlainText.of(new IOException(place + ": " + e.getMessage(), e));
        }
    }

    /**
     * Finds a place that the metadata names at any of its places: members of OpenID alone may be
     * missing at the first ones.
     *
     * @param member such as {@code jwks_uri}
     * @throws IOException if none names it; the failures of all places are in it
     */
    public URI place(String member) throws IOException {
        IOException first = null;
        Deadline deadline = fetch.deadline();
        for (URI place : places()) {
            try {
                return named(member, own(JsonValue.parse(text(place, deadline))));
            } catch (IOException | JsonException | IllegalArgumentException e) {
                IOException failure = PlainText.of(new IOException("no metadata at " + place, e));
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        throw first == null ? new IOException("no place for metadata") : first;
    }

    private List<URI> places() {
        URI uri = URI.create(issuer);
        String origin = uri.getScheme() + "://" + uri.getRawAuthority();
        String path = uri.getRawPath().replaceAll("/$", "");
        return IssuerMetadata.places(origin, path);
    }

    /** Fetches the document at a place of the issuer. */
    public String text(URI place) throws IOException {
        return text(place, fetch.deadline());
    }

    private String text(URI place, Deadline deadline) throws IOException {
        Fetched answer = fetch.get(place, deadline);
        if (answer.status() != 200) {
            throw new IOException("the answer has the status " + answer.status());
        }
        return answer.text();
    }

    private JsonObject own(JsonValue metadata) throws IOException {
        JsonValue named = metadata instanceof JsonObject members ? members.get("issuer") : null;
        if (JsonValue.of(issuer).equals(named)) {
            return (JsonObject) metadata;
        }
        throw new IOException(
                "the metadata is that of another issuer: it names "
                        + (named instanceof JsonString text ? PlainText.of(text.value()) : "none")
                        + ", not "
                        + issuer);
    }

    private static URI named(String member, JsonObject metadata) throws IOException {
        if (metadata.get(member) instanceof JsonString place) {
            return URI.create(place.value());
        }
        throw new IOException("the metadata names no " + member);
    }
}
