package dev.fairlead.auth.client;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The nonces that servers gave last for proofs of DPoP, by their origins. */
final class Nonces {
    private static final int LONGEST = 1024;

    /** As many as there are servers that logins are for, and their issuers. */
    private final Map<String, String> nonces = new ConcurrentHashMap<>();

    Optional<String> of(URI url) {
        return Optional.ofNullable(nonces.get(Urls.origin(url)));
    }

    void keep(URI url, String nonce) {
        if (nonce.length() <= LONGEST) {
            nonces.put(Urls.origin(url), nonce);
        }
    }
}
