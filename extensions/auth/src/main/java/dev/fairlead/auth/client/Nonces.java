package dev.fairlead.auth.client;

import java.net.URI;
import java.util.Optional;

/** The nonces that servers gave last for proofs of DPoP, by their origins. */
final class Nonces {
    private static final int LONGEST = 1024;

    private final Recent<String, String> nonces = new Recent<>();

    Optional<String> of(URI url) {
        return nonces.find(Urls.origin(url));
    }

    void keep(URI url, String nonce) {
        if (nonce.length() <= LONGEST) {
            nonces.put(Urls.origin(url), nonce);
        }
    }
}
