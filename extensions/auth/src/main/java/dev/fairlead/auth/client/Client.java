package dev.fairlead.auth.client;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.auth.JWTAuthenticationClaimsSet;
import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import com.nimbusds.oauth2.sdk.id.Audience;
import com.nimbusds.oauth2.sdk.id.ClientID;

import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.auth.wire.BasicCredentials;
import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.security.PrivateKey;
import java.util.Map;
import java.util.function.Supplier;

/** A client that an authorization server knows, and its way to authenticate. */
sealed interface Client {
    String id();

    /** Adds the authentication to a token request. */
    void authenticate(
            AuthorizationServer server, Map<String, String> form, Map<String, String> headers);

    /**
     * Returns whether it authenticates with a secret or a key, which only one issuer may receive.
     */
    boolean hasCredentials();

    /** Returns the same client with this method; null if the method is not known. */
    default Client by(@Nullable String method) {
        return this;
    }

    /** One that has no secret. */
    record Public(String id) implements Client {
        @Override
        public boolean hasCredentials() {
            return false;
        }

        @Override
        public void authenticate(
                AuthorizationServer server, Map<String, String> form, Map<String, String> headers) {
            form.put("client_id", id);
        }
    }

    /**
     * A client with a secret.
     *
     * @param method how it is sent, where the registration says so; else a method that the server
     *     supports
     */
    record Confidential(String id, Supplier<String> secret, @Nullable String method)
            implements Client {
        @Override
        public boolean hasCredentials() {
            return true;
        }

        @Override
        public void authenticate(
                AuthorizationServer server, Map<String, String> form, Map<String, String> headers) {
            switch (method == null ? AuthMethods.forSecret(server) : method) {
                case AuthMethods.BASIC ->
                        headers.put("Authorization", BasicCredentials.header(id, secret.get()));
                case AuthMethods.POST -> {
                    form.put("client_id", id);
                    form.put("client_secret", secret.get());
                }
                case AuthMethods.NONE -> form.put("client_id", id);
                default ->
                        throw new AuthorizationException(
                                "the authorization server wants clients to authenticate in a way"
                                        + " that is not supported: "
                                        + PlainText.of(method));
            }
        }

        @Override
        public Client by(@Nullable String known) {
            return method == null && known != null ? new Confidential(id, secret, known) : this;
        }

        /** Returns the id without the secret. */
        @Override
        public String toString() {
            return "client " + id;
        }
    }

    /** A client that signs an assertion with its key, for this issuer alone (RFC 7523). */
    record Signing(String id, PrivateKey key, String algorithm, @Nullable String keyId)
            implements Client {
        @Override
        public boolean hasCredentials() {
            return true;
        }

        @Override
        public void authenticate(
                AuthorizationServer server, Map<String, String> form, Map<String, String> headers) {
            try {
                new PrivateKeyJWT(
                                new JWTAuthenticationClaimsSet(
                                        new ClientID(id), new Audience(server.issuer())),
                                JWSAlgorithm.parse(algorithm),
                                key,
                                keyId,
                                null)
                        .toParameters()
                        .forEach((name, values) -> form.put(name, values.getFirst()));
            } catch (JOSEException e) {
                throw new AuthorizationException("the key of the client cannot sign", e);
            }
        }

        /** Returns the id without the key. */
        @Override
        public String toString() {
            return "client " + id;
        }
    }
}
