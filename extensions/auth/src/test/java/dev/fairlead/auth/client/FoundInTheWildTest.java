package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.logging.Level;

/**
 * Servers that differ from the letter of the standards where that does no harm, and attackers who
 * would like to be taken for them.
 */
@Timeout(120)
class FoundInTheWildTest {
    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth;

    private void named(String... issuers) {
        issuer.resource =
                document ->
                        document.with("authorization_servers", JsonArray.of((Object[]) issuers));
    }

    @Nested
    class AnIssuer {
        @Test
        void mayHaveASlashInTheMetadataOfTheServerAlone() throws Exception {
            named(issuer.issuer() + "/");

            assertThat(desk.call(oauth)).isEqualTo(200);
            assertThat(oauth.login(issuer.mcp()).orElseThrow().issuer()).isEqualTo(issuer.issuer());
        }

        @Test
        void mayHaveASlashInItsOwnMetadataAlone() throws Exception {
            String own = issuer.issuer() + "/";
            issuer.metadata = document -> document.with("issuer", own);
            issuer.redirect =
                    parameters -> {
                        var copy = new java.util.HashMap<>(parameters);
                        copy.put("iss", own);
                        return copy;
                    };

            assertThat(desk.call(oauth)).isEqualTo(200);
        }

        @Test
        void thatTheApplicationNamesMayHaveAnotherSlashAndKeepsItsLogin() throws Exception {
            OAuth configured = oauth.issuer(issuer.issuer() + "/");

            assertThat(desk.call(configured)).isEqualTo(200);
            assertThat(desk.call(configured)).isEqualTo(200);
            assertThat(issuer.authorizations).hasSize(1);
        }

        /** The metadata alone is tolerant: a redirect is compared character by character. */
        @Test
        void ofARedirectIsTheOneOfItsMetadata() {
            named(issuer.issuer() + "/");
            issuer.redirect =
                    parameters -> {
                        var copy = new java.util.HashMap<>(parameters);
                        copy.put("iss", issuer.issuer() + "/");
                        return copy;
                    };

            desk.assertRefusedNaming(oauth, "the redirect is from another authorization server");
        }

        /** The mix-up: metadata of an attacker that passes for that of another issuer. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "ORIGIN//",
                    "ORIGIN/a",
                    "ORIGIN/?",
                    "ORIGIN#",
                    "https://evil.example/",
                    "/",
                    ""
                })
        void whoseNameDiffersInAnythingElseIsRefusedWithBothNames(String own) {
            String other = own.replace("ORIGIN", issuer.issuer());
            issuer.metadata = document -> document.with("issuer", other);

            desk.assertRefusedNaming(oauth, "it names " + other + ", not " + issuer.issuer());
            assertThat(desk.visited).isEmpty();
        }

        /** The name of another issuer in any other spelling: no name is normalized. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "http://LOCALHOST:PORT",
                    "HTTP://localhost:PORT",
                    "http://localhost:0PORT",
                    "http://127.0.0.1:PORT",
                    "http://localhost.:PORT",
                    "http://\uff4cocalhost:PORT",
                    "http://evil@localhost:PORT",
                    "http://localhost:PORT\\",
                    "http://localhost:PORT?",
                    "http://localhost:PORT#",
                    "http://localhost:PORT?/",
                    "http://localhost:PORT/.",
                    "http://localhost:PORT/%2e",
                    "http://localhost:PORT/a/..",
                    "http://localhost:PORT//",
                    " http://localhost:PORT"
                })
        void thatAServerSpellsOtherwiseIsRefused(String spelled) {
            named(spelled.replace("PORT", String.valueOf(issuer.mcp().getPort())));

            desk.assertRefusedNaming(oauth, "issuer");
            assertThat(desk.visited).isEmpty();
            assertThat(issuer.registrations).isEmpty();
        }

        /** A slash does not get a hostile server the secret of the application. */
        @Test
        void thatTheApplicationHasNotNamedGetsNoSecret() {
            named(issuer.issuer() + "/a/", issuer.issuer() + "//");

            desk.assertRefusedNaming(
                    oauth.client("desk", Secret.from(() -> "s3cret")).issuer(issuer.issuer()),
                    "the server does not name the issuer that was configured for it");
            assertThat(issuer.credentials).isEmpty();
        }
    }

    @Nested
    class Members {
        @Test
        void thatAreNoIssuersCostThemselvesAlone() throws Exception {
            issuer.resource =
                    document ->
                            document.with(
                                    "authorization_servers",
                                    JsonValue.parse(
                                            """
                                            [null, 5, {"issuer": "https://a.example"}, "", "no url",
                                             "http://evil.example", "%s"]
                                            """
                                                    .formatted(issuer.issuer())));

            try (Logged logged = new Logged(ResourceDiscovery.class.getName(), Level.WARNING)) {
                assertThat(desk.call(oauth)).isEqualTo(200);
                assertThat(logged.lines())
                        .singleElement()
                        .asString()
                        .contains(
                                "no https URLs: , no url, http://evil.example; they are left out");
            }
        }

        @Test
        void thatAreNoIssuersAreNoneWithoutOthers() {
            named("no url", "http://evil.example");

            desk.assertRefused(
                    oauth, "an issuer must be an https URL of at most 2000 ASCII characters");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "authorization_servers | ISSUER",
                    "scopes_supported | read write",
                })
        void ofAResourceMayBeAStringInThePlaceOfAList(String member, String value)
                throws Exception {
            issuer.resource =
                    document -> document.with(member, value.replace("ISSUER", issuer.issuer()));

            assertThat(desk.call(oauth)).isEqualTo(200);
            assertThat(issuer.authorizations.getFirst()).containsEntry("scope", "read write");
        }

        @Test
        void ofAnIssuerMayBeAStringInThePlaceOfAList() throws Exception {
            issuer.metadata =
                    document ->
                            document.with("code_challenge_methods_supported", "S256")
                                    .with("token_endpoint_auth_methods_supported", "none");

            assertThat(desk.call(oauth)).isEqualTo(200);
        }

        /** The code of a login goes to no place that is none. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "mailto:a@b",
                    "https:token",
                    "https:///token",
                    "https://a_b.example/token",
                    "https://localhost:-1/token",
                    "https://localhost:99999/token",
                    "https://user@localhost:PORT/token",
                    "http://evil.example/token",
                    "http://localhost.evil.example/token",
                    "http://127.0.0.1.evil.example/token",
                    "file:///etc/passwd",
                    "//localhost:PORT/token",
                    "/token"
                })
        void thatNameTheTokenEndpointMustBeAnHttpsUrl(String url) {
            String named = url.replace("PORT", String.valueOf(issuer.mcp().getPort()));
            for (OAuth each : List.of(oauth, oauth.dpop())) {
                issuer.metadata = document -> document.with("token_endpoint", named);

                assertThatThrownBy(() -> desk.call(each))
                        .isInstanceOf(AuthorizationException.class);
            }
            assertThat(issuer.tokenRequests).isEmpty();
        }

        /** A challenge in clear text is none. */
        @Test
        void doNotMakePlainAChallenge() {
            issuer.metadata =
                    document -> document.with("code_challenge_methods_supported", "plain");

            desk.assertRefusedNaming(oauth, "does not list PKCE with S256");
        }

        @Test
        void thatAreNotNeededMayBeNoUrls() throws Exception {
            issuer.metadata =
                    document ->
                            document.with("registration_endpoint", "/register")
                                    .with("revocation_endpoint", "http://[");

            assertThat(desk.call(oauth.client("mine"))).isEqualTo(200);
        }

        @ParameterizedTest
        @ValueSource(strings = {"\"3600\"", "3600.0", "3600.9", "1e300", "-5", "\"soon\"", "[1]"})
        void ofTokensMayHaveOddLifetimes(String lifetime) throws Exception {
            issuer.tokens = answer -> answer.with("expires_in", JsonValue.parse(lifetime));

            assertThat(desk.call(oauth)).isEqualTo(200);
        }

        @Test
        void ofTokensMayBeMissing() throws Exception {
            issuer.tokens = answer -> answer.without("token_type").with("refresh_token", "");

            assertThat(desk.call(oauth)).isEqualTo(200);
            assertThat(oauth.login(issuer.mcp()).orElseThrow().isRenewable()).isFalse();
        }

        /** A token that is not bound must not pass for one that is. */
        @Test
        void ofTokensThatHaveToBeBoundMayNotBeMissing() {
            issuer.isDpop = true;
            issuer.tokens = answer -> answer.without("token_type");

            assertThatThrownBy(() -> desk.call(oauth.dpop()))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessageContaining("another type than DPoP");
        }

        /** An answer that says both, an error and tokens, is no success. */
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void ofAnErrorMayComeWithTheStatusOfASuccess(boolean withTokens) {
            issuer.errorStatus = 200;
            issuer.tokens =
                    answer ->
                            (withTokens ? answer : JsonObject.EMPTY)
                                    .with("error", "bad_code")
                                    .with("error_description", "The code is used");

            assertThatThrownBy(() -> desk.call(oauth))
                    .hasMessageContaining("bad_code (The code is used)");
        }
    }

    /** Members that an answer leaves out have their default, by RFC 7591. */
    @Nested
    class ARegistration {
        private List<String> authenticatedBy(UnaryOperator<JsonObject> answer) throws Exception {
            issuer.registered = answer;
            assertThat(desk.call(oauth)).isEqualTo(200);
            return issuer.credentials;
        }

        @Test
        void withASecretAndNoMethodAuthenticatesByBasic() throws Exception {
            assertThat(
                            authenticatedBy(
                                    answer ->
                                            answer.with("client_secret", "s3cret")
                                                    .without("token_endpoint_auth_method")))
                    .containsExactly(
                            "Basic "
                                    + Base64.getEncoder()
                                            .encodeToString("client-1:s3cret".getBytes()));
        }

        @Test
        void withASecretAuthenticatesAsTheServerAloneAllows() throws Exception {
            issuer.metadata =
                    document ->
                            document.with(
                                    "token_endpoint_auth_methods_supported",
                                    JsonArray.of("client_secret_post"));

            authenticatedBy(
                    answer ->
                            answer.with("client_secret", "s3cret")
                                    .without("token_endpoint_auth_method"));
            assertThat(issuer.tokenRequests.getFirst()).containsEntry("client_secret", "s3cret");
        }

        @ParameterizedTest
        @ValueSource(strings = {"{}", "{\"client_secret\": \"\"}", "{\"client_secret\": null}"})
        void withoutASecretIsThatOfAPublicClient(String members) throws Exception {
            authenticatedBy(
                    answer -> {
                        JsonObject changed = answer.without("token_endpoint_auth_method");
                        for (var member :
                                ((JsonObject) JsonValue.parse(members)).members().entrySet()) {
                            changed = changed.with(member.getKey(), member.getValue());
                        }
                        return changed;
                    });
            assertThat(issuer.tokenRequests.getFirst())
                    .containsEntry("client_id", "client-1")
                    .doesNotContainKey("client_secret");
        }

        @Test
        void byAMethodThatIsUnknownNamesIt() {
            issuer.registered =
                    answer ->
                            answer.with("client_secret", "s3cret")
                                    .with("token_endpoint_auth_method", "tls_client_auth");

            desk.assertRefusedNaming(oauth, "that is not supported: tls_client_auth");
        }
    }

    @Nested
    class Messages {
        @Test
        void nameAnAnswerThatIsNoJson() {
            issuer.page = "access_token=a&token_type=bearer";
            String answer = ": it is an answer with status 200 and 32 bytes of text/html";

            assertThatThrownBy(() -> desk.call(oauth.client("mine")))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessage("the answer of the token endpoint cannot be read" + answer);
            assertThatThrownBy(() -> desk.call(oauth))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessage(
                            "the answer to the registration of the client cannot be read" + answer);
        }

        @Test
        void areThoseOfAnErrorThatIsAnObjectWithTheStatusOfASuccess() {
            issuer.errorStatus = 200;
            issuer.tokens =
                    answer -> answer.with("error", JsonObject.of("message", "The code is used"));

            assertThatThrownBy(() -> desk.call(oauth))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessageEndingWith("status 200 (The code is used)");
        }

        /** Frameworks have forms of their own for errors. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    """
                    {"error": {"code": 400, "message": "The code is used"}}\
                    """,
                    """
                    {"error": true, "detail": "The code is used"}\
                    """,
                    """
                    {"error": 400, "error_description": {}, "message": "The code is used"}\
                    """
                })
        void areThoseOfTheServerAlsoInOtherForms(String answer) {
            issuer.tokens = ignored -> (JsonObject) JsonValue.parse(answer);

            assertThatThrownBy(() -> desk.call(oauth))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessage(
                            "the authorization server refused the token request: status 400 (The"
                                    + " code is used)");
        }

        @Test
        void nameTheFetchThatFailed() {
            named("http://localhost:1");

            desk.assertRefusedNaming(
                    oauth,
                    "the metadata of the authorization server http://localhost:1 was not found: ",
                    "http://localhost:1/.well-known/oauth-authorization-server: ",
                    "refused");
        }

        @Test
        void nameThePageThatIsNoMetadata() {
            named(issuer.issuer() + "/tenant/");
            issuer.metadata = document -> document.with("issuer", "x");

            desk.assertRefusedNaming(oauth, "it names x, not " + issuer.issuer() + "/tenant/");
        }
    }
}
