package dev.fairlead.client;

import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;

import java.net.URI;
import java.util.Arrays;

/**
 * A page to visit.
 *
 * @param server the server that asks
 * @param request the question as it came
 * @param url the whole URL, absolute, {@code https} or {@code http}; show all of it before the
 *     person consents
 */
public record ElicitUrl(Implementation server, ElicitUrlRequest request, URI url) {
    /** The message for the person. */
    public String message() {
        return request.message();
    }

    /** The host to highlight. */
    public String host() {
        return url.getHost();
    }

    /**
     * Whether the host has labels in Punycode, which can look like another host: worth a warning.
     */
    public boolean isPunycode() {
        return Arrays.stream(host().split("\\."))
                .anyMatch(label -> label.regionMatches(true, 0, "xn--", 0, 4));
    }
}
