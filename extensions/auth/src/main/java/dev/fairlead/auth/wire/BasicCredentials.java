package dev.fairlead.auth.wire;

import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;

/** The credentials of a client in a header ({@code client_secret_basic}). */
public final class BasicCredentials {
    private BasicCredentials() {}

    /** Returns the value of the header {@code Authorization} (RFC 6749, 2.3.1). */
    public static String header(String client, String secret) {
        return new ClientSecretBasic(new ClientID(client), new Secret(secret))
                .toHTTPAuthorizationHeader();
    }
}
