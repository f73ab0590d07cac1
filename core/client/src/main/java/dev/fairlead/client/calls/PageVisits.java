package dev.fairlead.client.calls;

import dev.fairlead.client.handlers.Elicitation;
import dev.fairlead.client.handlers.Inputs;
import dev.fairlead.client.link.CallOptions;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/** Has the person visit pages that the server requires before a request. */
public record PageVisits(Elicitation elicitation) {
    /**
     * Asks the user to visit the pages that the server requires before the request.
     *
     * @param options of the call, which has begun
     * @throws UrlElicitationRequiredException the one given, where the options do not ask for that,
     *     the person does not consent, or it is not of the server
     */
    public void visit(UrlElicitationRequiredException required, CallOptions options)
            throws InterruptedException {
        if (options.ongoing().hasFailedHere()) {
            throw required;
        }
        Duration wait = options.urlElicitation;
        if (wait == null) { // the caller shows the pages and may have a listener for their
            // completion
            required.elicitations()
                    .forEach(page -> elicitation.visits().open(page.elicitationId()));
            throw required;
        }
        if (!isVisited(required, wait)) {
            throw required;
        }
    }

    private boolean isVisited(UrlElicitationRequiredException required, Duration wait)
            throws InterruptedException {
        if (elicitation.settings().onElicitUrl == null
                || required.elicitations().size() > Inputs.MAX_ENTRIES) {
            return false;
        }
        Set<String> ids =
                required.elicitations().stream()
                        .map(ElicitUrlRequest::elicitationId)
                        .collect(Collectors.toUnmodifiableSet());
        elicitation.visits().expect(ids);
        try {
            for (ElicitUrlRequest page : required.elicitations()) {
                if (!consents(page, required)) {
                    return false;
                }
            }
            return elicitation.visits().await(ids, wait);
        } finally {
            elicitation.visits().expectNoMore(ids);
        }
    }

    private boolean consents(ElicitUrlRequest page, UrlElicitationRequiredException required)
            throws InterruptedException {
        try {
            return elicitation.consent(page) instanceof Answer.Accepted;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) { // of the user's handler; reported to the caller
            required.addSuppressed(e);
            return false;
        }
    }
}
