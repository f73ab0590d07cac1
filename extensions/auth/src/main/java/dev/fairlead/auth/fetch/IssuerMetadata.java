package dev.fairlead.auth.fetch;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

/** The places where issuers publish their metadata. */
public final class IssuerMetadata {
    private static final String OAUTH = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";

    private IssuerMetadata() {}

    /**
     * The places to ask at, in the order that is prescribed.
     *
     * @param origin of the issuer
     * @param path of the issuer, without a slash at its end; empty where it has none
     */
    public static List<URI> places(String origin, String path) {
        return Stream.of(OAUTH + path, OPENID + path, path + OPENID)
                .distinct()
                .map(place -> URI.create(origin + place))
                .toList();
    }
}
