package dev.fairlead.showcase;

import dev.fairlead.auth.Loopback;
import dev.fairlead.auth.Secret;
import dev.fairlead.auth.client.IdentityProvider;
import dev.fairlead.auth.client.OAuth;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** How the conformance client is authorized in the scenarios {@code auth/…}. */
final class ConformanceLogin {
    private static final URI CLIENT_METADATA =
            URI.create("https://conformance-test.local/client-metadata.json");

    private ConformanceLogin() {}

    /**
     * @param context the values of the suite for the client; empty in most scenarios
     * @param revision of the run
     */
    static OAuth of(String scenario, JsonObject context, String revision) {
        return login(scenario, context, revision).chooseIssuer(ConformanceLogin::local);
    }

    private static OAuth login(String scenario, JsonObject context, String revision) {
        return switch (scenario) {
            case "auth/pre-registration" ->
                    browser().client(context.string("client_id"), secret(context));
            case "auth/client-credentials-basic" ->
                    OAuth.clientCredentials(context.string("client_id"), secret(context));
            case "auth/client-credentials-jwt" ->
                    OAuth.clientCredentials(
                            context.string("client_id"),
                            key(context.string("private_key_pem")),
                            context.string("signing_algorithm"));
            case "auth/enterprise-managed-authorization", "auth/cross-app-access-complete-flow" ->
                    OAuth.enterpriseManaged(
                            context.string("client_id"),
                            secret(context),
                            IdentityProvider.at(
                                    URI.create(context.string("idp_token_endpoint")),
                                    context.string("idp_client_id")),
                            () -> context.string("idp_id_token"));
            case "auth/wif-jwt-bearer" ->
                    OAuth.workload(context.string("client_id"), () -> context.string("valid_jwt"));
            case "auth/dpop", "auth/dpop-nonce" -> browser().dpop();
            default -> revision.equals("2025-03-26") ? browser().defaultEndpoints() : browser();
        };
    }

    /**
     * The suite gives credentials but does not name their issuer, which runs on this machine: no
     * other gets them.
     */
    private static String local(List<String> issuers) {
        return issuers.stream()
                .filter(issuer -> Loopback.isNamedBy(URI.create(issuer)))
                .findFirst()
                .orElseThrow(
                        () ->
                                new AuthorizationException(
                                        "The server names no issuer on this machine: " + issuers));
    }

    static JsonObject context() {
        String given = System.getenv().getOrDefault("MCP_CONFORMANCE_CONTEXT", "{}");
        return (JsonObject) JsonValue.parse(given);
    }

    private static OAuth browser() {
        return OAuth.browser("fairlead-conformance")
                .clientMetadata(CLIENT_METADATA)
                .browser(ConformanceLogin::visit);
    }

    private static Secret secret(JsonObject context) {
        return Secret.from(() -> context.string("client_secret"));
    }

    /** The person: opens the URL, is asked nothing, and is sent back to the client. */
    private static void visit(URI url) {
        try (HttpClient browser =
                HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build()) {
            browser.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static PrivateKey key(String pem) {
        byte[] encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]+-----", ""));
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key of the client cannot be read", e);
        }
    }
}
