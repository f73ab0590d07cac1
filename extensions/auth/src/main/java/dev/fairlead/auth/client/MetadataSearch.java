package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Deadline;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.auth.fetch.RefusedException;
import dev.fairlead.http.client.AuthorizationException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fetches the metadata of one login, all before one deadline, and keeps for the message of a
 * failure why a place has none. For one thread.
 */
final class MetadataSearch {
    private final Fetch fetch;
    private final Deadline deadline;
    private final List<String> findings = new ArrayList<>();
    private boolean hasFailed;

    MetadataSearch(Fetch fetch, Deadline deadline) {
        this.fetch = fetch;
        this.deadline = deadline;
    }

    /**
     * Fetches the metadata at a URL; empty if there is none, or it cannot be fetched. A page or
     * another document, as servers send for unknown paths, is none.
     *
     * @param member that the metadata must have, as a text
     * @throws AuthorizationException if the deadline has passed
     */
    Optional<Document> at(URI place, String member) throws InterruptedIOException {
        try {
            Fetched fetched = fetch.get(place, deadline);
            int status = fetched.status();
            Optional<Document> metadata =
                    status == 200
                            ? Document.of(fetched).filter(json -> json.string(member).isPresent())
                            : Optional.empty();
            if (metadata.isEmpty()) {
                hasFailed |= status == 429 || status >= 500;
                found(place, status == 200 ? "no JSON object with " + member : "status " + status);
            }
            return metadata;
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            if (deadline.isOver()) {
                throw new AuthorizationException(
                        "Timed out: the metadata did not arrive within " + deadline, e);
            }
            hasFailed = true;
            String message = e.getMessage();
            boolean isOwn = e.getClass() == IOException.class || e instanceof RefusedException;
            found(place, isOwn && message != null ? message : e.toString());
            return Optional.empty();
        }
    }

    private void found(URI place, String what) {
        findings.add(PlainText.of(place + ": " + what));
    }

    /** Returns whether a place could not be asked, so that there may be metadata after all. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** Describes the answer of each place that has no metadata, in the order of the search. */
    @Override
    public String toString() {
        return String.join("; ", findings);
    }
}
