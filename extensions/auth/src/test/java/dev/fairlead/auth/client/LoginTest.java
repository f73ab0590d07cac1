package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.RequestAuthorization;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;

/** A person logs in with a browser, by the metadata of the server's authorization. */
@Timeout(60)
class LoginTest {
    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth;

    @Test
    @Requirement({
        "AUTH-008",
        "AUTH-014",
        "AUTH-022",
        "AUTH-034",
        "AUTH-035",
        "AUTH-036",
        "AUTH-038",
        "AUTH-040",
        "AUTH-058",
        "AUTH-061",
        "AUTH-063",
        "ROOM-086",
        "N26-AUTH-008",
        "N26-AUTH-009"
    })
    void aPersonLogsIn() throws Exception {
        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(desk.call(oauth)).isEqualTo(200);

        Map<String, String> asked = issuer.authorizations.getFirst();
        Map<String, String> exchanged = issuer.tokenRequests.getFirst();
        assertThat(issuer.authorizations).hasSize(1);
        assertThat(asked)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "client-1")
                .containsEntry("resource", issuer.mcp().toString())
                .containsEntry("code_challenge_method", "S256")
                .containsEntry("scope", "read write");
        assertThat(asked.get("state")).hasSizeGreaterThan(20);
        assertThat(asked.get("redirect_uri")).matches("http://127\\.0\\.0\\.1:\\d+/callback");
        assertThat(exchanged)
                .containsEntry("grant_type", "authorization_code")
                .containsEntry("code", "code-1")
                .containsEntry("client_id", "client-1")
                .containsEntry("redirect_uri", asked.get("redirect_uri"))
                .containsEntry("resource", issuer.mcp().toString());
        assertThat(challenge(exchanged.get("code_verifier")))
                .isEqualTo(asked.get("code_challenge"));
        assertThat(issuer.queries).allMatch("null"::equals);
    }

    @Test
    void aLoginDoesNotFailByMalformedMembersThatItDoesNotNeed() throws Exception {
        issuer.metadata =
                metadata ->
                        metadata.with("response_types_supported", "code")
                                .with("service_documentation", "http://[")
                                .with("ui_locales_supported", JsonArray.of("?"))
                                .with("scopes_supported", JsonArray.of("read", 7));
        issuer.registered =
                client ->
                        client.with("client_id_issued_at", "now")
                                .with("client_secret", null)
                                .with("grant_types", "authorization_code")
                                .with("application_type", "desktop");
        issuer.tokens =
                tokens ->
                        tokens.with("expires_in", null)
                                .with("scope", JsonArray.of("read"))
                                .with("authorization_details", "none");

        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(issuer.tokenRequests).hasSize(1);
    }

    private static String challenge(String verifier) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes("US-ASCII"));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }

    @Test
    @Requirement({"AUTH-006", "AUTH-023", "AUTH-057", "N26-AUTH-012"})
    void aClientThatRegistersItselfSaysThatItIsNative() throws Exception {
        desk.call(oauth);

        JsonObject registered = issuer.registrations.getFirst();
        assertThat(registered.string("client_name")).isEqualTo("Desk");
        assertThat(registered.string("application_type")).isEqualTo("native");
        assertThat(registered.string("token_endpoint_auth_method")).isEqualTo("none");
        assertThat(registered.array("redirect_uris").get(0).toString())
                .contains(issuer.authorizations.getFirst().get("redirect_uri"));
    }

    @Test
    @Requirement({"AUTH-005", "AUTH-023", "AUTH-027", "AUTH-028", "AUTH-032", "N26-AUTH-010"})
    void aClientIsKnownBeforeItRegisters() throws Exception {
        OAuth named = oauth.clientMetadata(URI.create("https://desk.example/client.json"));
        desk.call(named.client("mine").tokens(TokenStore.memory()));
        desk.call(named.tokens(TokenStore.memory()));
        issuer.metadata = document -> document.with("client_id_metadata_document_supported", true);
        desk.call(named.tokens(TokenStore.memory()));

        assertThat(issuer.authorizations)
                .extracting(asked -> asked.get("client_id"))
                .containsExactly("mine", "client-1", "https://desk.example/client.json");
    }

    @ParameterizedTest
    @Requirement({"AUTH-024", "N26-AUTH-011"})
    @ValueSource(
            strings = {
                "http://desk.example/c.json",
                "https://desk.example",
                "https://desk.example/"
            })
    void metadataOfAClientIsAtAnHttpsUrlWithAPath(URI url) {
        assertThatThrownBy(() -> oauth.clientMetadata(url))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Requirement({"AUTH-067", "AUTH-041", "N26-AUTH-005"})
    void metadataOfAnotherIssuerIsNotUsed() {
        issuer.metadata = document -> document.with("issuer", "https://evil.example");

        desk.assertRefused(
                oauth,
                "the metadata of the authorization server is that of another issuer: it names"
                        + " https://evil.example, not "
                        + issuer.issuer());
        assertThat(desk.visited).isEmpty();
    }

    @ParameterizedTest
    @Requirement({"AUTH-067", "ROOM-084"})
    @ValueSource(
            strings = {
                "https://evil.example/mcp",
                "http://localhost:1/mcp",
                "ORIGIN/mc",
                "ORIGIN",
                "ORIGIN/",
                "http://user@localhost:PORT/mcp",
                "http://user:x@localhost:PORT",
                "ORIGIN/mcp?tenant=other",
                "ORIGIN/other",
                "ORIGIN/mcp/deeper",
                "ORIGIN/mcp#x",
                "nothing"
            })
    void metadataOfAnotherResourceIsNotUsed(String resource) {
        String named =
                resource.replace("ORIGIN", issuer.issuer())
                        .replace("PORT", String.valueOf(issuer.mcp().getPort()));
        issuer.resource = document -> document.with("resource", named);

        desk.assertRefused(
                oauth,
                "the metadata of the server at "
                        + issuer.issuer()
                        + " is about another resource: it names "
                        + named
                        + ", not "
                        + issuer.mcp());
        assertThat(desk.visited).isEmpty();
    }

    @Test
    @Requirement({"AUTH-034", "ROOM-084"})
    void theResourceIsNamedAsTheServerNamesIt() throws Exception {
        issuer.resource = document -> document.with("resource", issuer.issuer() + "/mcp/");

        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(issuer.authorizations.getFirst())
                .containsEntry("resource", issuer.issuer() + "/mcp/");
        assertThat(issuer.tokenRequests.getFirst())
                .containsEntry("resource", issuer.issuer() + "/mcp/");
    }

    @Test
    @Requirement({"AUTH-059", "ROOM-085", "N26-AUTH-008"})
    void aServerThatDoesNotSayThatItSupportsPkceIsRefused() {
        issuer.metadata = document -> document.without("code_challenge_methods_supported");

        desk.assertRefused(
                oauth, "the metadata of the authorization server does not list PKCE with S256");
        assertThat(desk.visited).isEmpty();
    }

    @ParameterizedTest
    @Requirement({"SEC-009", "SEC-010", "SEC-013"})
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "data:text/html,x",
                "file:///etc/passwd",
                "vbscript:x",
                "http://evil.example/authorize",
                "https://user@evil.example/authorize",
                "mailto:a@b"
            })
    void nothingButAnHttpsUrlIsOpened(String url) {
        issuer.metadata = document -> document.with("authorization_endpoint", url);

        desk.assertRefused(oauth, "the authorization server names no https URL to log in at");
        assertThat(desk.visited).isEmpty();
    }

    @ParameterizedTest
    @Requirement({"SEC-007", "SEC-008"})
    @ValueSource(strings = {"https://169.254.169.254", "https://10.0.0.1", "https://[fd00::1]"})
    void anIssuerAtAPrivateAddressIsNotAsked(String address) {
        issuer.resource = document -> document.with("authorization_servers", JsonArray.of(address));

        desk.assertRefusedNaming(
                oauth,
                "the metadata of the authorization server " + address + " was not found: ",
                "is not allowed");
    }

    @Test
    @Requirement("SEC-008")
    void aTokenEndpointAtAPrivateAddressIsNotAsked() {
        issuer.metadata = document -> document.with("token_endpoint", "https://10.0.0.1/token");

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(
                        "the login failed: https://10.0.0.1 is not fetched: the address 10.0.0.1"
                                + " is not allowed");
    }

    @Test
    @Requirement("AUTH-003")
    void noTokenIsGotForAServerWithoutTls() {
        URI plain = URI.create("http://reports.example/mcp");
        RequestAuthorization request = oauth.request(plain, "POST", plain);

        assertThatThrownBy(
                        () ->
                                request.again(
                                        401,
                                        java.net.http.HttpHeaders.of(
                                                Map.of(), (name, value) -> true)))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(
                        "tokens are sent over https alone, but the server is at"
                                + " http://reports.example");
    }

    @Test
    @Requirement({"AUTH-041", "AUTH-012", "N26-AUTH-013"})
    void theClientOfOneIssuerIsNotShownToAnother() throws Exception {
        desk.call(oauth);
        try (ScriptedIssuer second = new ScriptedIssuer()) {
            issuer.valid.clear();
            issuer.resource =
                    document ->
                            document.with("authorization_servers", JsonArray.of(second.issuer()));
            issuer.tokens = answer -> JsonObject.of("error", "invalid_grant");
            assertThat(desk.call(oauth))
                    .isEqualTo(401); // the server knows none of the second's tokens

            assertThat(second.registrations).hasSize(1);
            assertThat(second.tokenRequests)
                    .hasSize(1)
                    .allMatch(form -> form.get("grant_type").equals("authorization_code"));
        }
    }
}
