package dev.fairlead.auth.proxy;

import dev.fairlead.auth.Loopback;

import java.net.URI;

/**
 * The URLs of the proxy: below the origin of the resource, which is its issuer.
 *
 * @param resource the URL of the MCP endpoint, as given
 */
record Places(URI resource) {
    static final String METADATA = "/.well-known/oauth-authorization-server";
    static final String REGISTER = "/register";
    static final String AUTHORIZE = "/authorize";
    static final String CONSENT = "/consent";
    static final String CALLBACK = "/callback";
    static final String TOKEN = "/token";
    static final String REVOKE = "/revoke";

    Places {
        boolean isPlain = "http".equals(resource.getScheme());
        if (isPlain && !Loopback.isNamedBy(resource)) {
            throw new IllegalArgumentException(
                    "a proxy is at an https URL, or at http on the own machine, but was at "
                            + resource);
        }
    }

    String issuer() {
        return resource.getScheme() + "://" + resource.getRawAuthority();
    }

    String url(String path) {
        return issuer() + path;
    }

    boolean isSecure() {
        return resource.getScheme().equals("https");
    }
}
