package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;

/** Logins that are there: they are used, listed and ended. */
@Timeout(60)
class StoredLoginsTest {
    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth;
    private final OAuth stored = OAuth.withTokenStore(desk.store);
    @TempDir private Path folder;

    @Test
    void aStoredLoginIsUsedAndRefreshedWithoutABrowser() throws Exception {
        desk.call(oauth);
        assertThat(desk.call(stored)).isEqualTo(200);
        issuer.valid.clear();

        assertThat(desk.call(stored)).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(1);
        assertThat(desk.store.read(issuer.mcp()).orElseThrow()).contains("refresh-2");
    }

    @Test
    void aLoginThatCannotBeReadCostsNoOther() throws Exception {
        desk.call(oauth);
        JsonObject login = (JsonObject) JsonValue.parse(desk.store.read(issuer.mcp()).get());
        desk.store.write(
                URI.create("https://bad.example/mcp"),
                login.with("expires_at", Long.MAX_VALUE).toString());

        assertThat(stored.logins()).extracting(StoredLogin::server).containsExactly(issuer.mcp());
    }

    @Test
    void whereThereIsNoLoginNoneIsBegun() {
        assertThatThrownBy(() -> desk.call(stored))
                .isInstanceOfSatisfying(
                        LoginRequiredException.class,
                        e -> {
                            assertThat(e.server()).isEqualTo(issuer.mcp());
                            assertThat(e.scopes()).isEmpty();
                        })
                .hasMessage("not logged in to " + issuer.mcp());
        assertThat(issuer.metadataAsked).isEmpty();
    }

    @Test
    void aLoginThatHasEndedIsForgottenAndNoneIsBegun() throws Exception {
        desk.call(oauth);
        issuer.valid.clear();
        issuer.tokens = answer -> JsonObject.of("error", "invalid_grant");

        assertThatThrownBy(() -> desk.call(stored)).isInstanceOf(LoginRequiredException.class);
        assertThat(stored.logins()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"temporarily_unavailable", "server_error"})
    void aLoginThatCannotBeRenewedJustNowIsKeptAndThatIsReported(String error) throws Exception {
        desk.call(oauth);
        issuer.valid.clear();
        issuer.tokens = answer -> JsonObject.of("error", error);

        assertThatThrownBy(() -> desk.call(stored))
                .isInstanceOf(AuthorizationException.class)
                .isNotInstanceOf(LoginRequiredException.class)
                .hasMessage(
                        "the login cannot be renewed just now: the authorization server refused"
                                + " the token request: "
                                + error);
        assertThat(stored.logins()).hasSize(1);
    }

    @Test
    void scopesThatAreMissingAreNamedWithThoseThatAreThere() throws Exception {
        desk.call(oauth.scopes("read"));
        issuer.shortOf = "admin";

        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> desk.call(stored))
                    .isInstanceOfSatisfying(
                            LoginRequiredException.class,
                            e -> assertThat(e.scopes()).containsExactly("read", "admin"))
                    .hasMessage("the login to " + issuer.mcp() + " needs the scopes read admin");
        }
        assertThat(issuer.authorizations).hasSize(1);
    }

    @Test
    @Requirement("AUTH-053")
    void aLoginIsDescribedWithoutItsTokens() throws Exception {
        assertThat(stored.logins()).isEmpty();
        assertThat(stored.login(issuer.mcp())).isEmpty();
        Instant before = new Date().toInstant();
        desk.call(oauth);
        Instant after = new Date().toInstant();

        StoredLogin login = stored.login(issuer.mcp()).orElseThrow();

        assertThat(stored.logins()).containsExactly(login);
        assertThat(login.server()).isEqualTo(issuer.mcp());
        assertThat(login.issuer()).isEqualTo(issuer.issuer());
        assertThat(login.clientId()).isEqualTo("client-1");
        assertThat(login.scopes()).containsExactly("read", "write");
        assertThat(login.expires()).isBetween(before.plusSeconds(3599), after.plusSeconds(3600));
        assertThat(login.isRenewable()).isTrue();
        assertThat(login.toString()).doesNotContain("access-1", "refresh-1");
    }

    @Test
    void spellingsOfAUrlShareALogin() throws Exception {
        desk.call(oauth);

        URI spelled = URI.create(issuer.mcp().toString().replace("localhost", "LOCALHOST") + "/");
        assertThat(stored.login(spelled)).isPresent();
        assertThat(stored.request(spelled, "POST", spelled).headers())
                .containsEntry("Authorization", "Bearer access-1");
    }

    @Test
    void aNewLoginTakesThePlaceOfTheOldOneWhenItIsThere() throws Exception {
        desk.call(oauth);
        String first = desk.store.read(issuer.mcp()).orElseThrow();
        issuer.redirect =
                parameters -> {
                    assertThat(desk.store.read(issuer.mcp())).contains(first);
                    return parameters;
                };

        assertThat(desk.call(oauth.forceLogin())).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(2);
        assertThat(desk.store.read(issuer.mcp()).orElseThrow()).contains("access-2");
    }

    @Test
    @Requirement("AUTH-033")
    void additionalScopesAreAskedForWithThoseOfTheChallenge() throws Exception {
        issuer.challenge = "Bearer scope=\"read\"";

        desk.call(oauth.scopes("purge").additionalScopes("purge"));

        assertThat(issuer.authorizations.getFirst()).containsEntry("scope", "read purge");
    }

    @Test
    void theIssuerRevokesWhatIsForgotten() throws Exception {
        desk.call(oauth);

        assertThat(stored.logout(issuer.mcp())).isEqualTo(new Logout.Revoked(issuer.issuer()));
        assertThat(issuer.revocations)
                .extracting(
                        asked -> asked.get("token_type_hint"),
                        asked -> asked.get("token"),
                        asked -> asked.get("client_id"))
                .containsExactly(
                        tuple("refresh_token", "refresh-1", "client-1"),
                        tuple("access_token", "access-1", "client-1"));
        assertThat(desk.store.servers()).isEmpty();
        assertThatThrownBy(() -> desk.call(stored)).isInstanceOf(LoginRequiredException.class);
        assertThat(stored.logout(issuer.mcp())).isEqualTo(new Logout.NotLoggedIn());
    }

    @Test
    void aClientWithASecretShowsItWhereTokensAreRevoked() throws Exception {
        OAuth confidential = desk.confidential("mine", "s3cret");
        issuer.metadata =
                document ->
                        document.with(
                                "token_endpoint_auth_methods_supported",
                                List.of("client_secret_post"));
        desk.call(confidential);

        confidential.logout(issuer.mcp());

        assertThat(issuer.revocations)
                .allMatch(asked -> asked.get("client_secret").equals("s3cret"));
    }

    @Test
    void whatIsNotRevokedIsForgottenAndThatIsSaid() throws Exception {
        desk.call(oauth);
        issuer.metadata = document -> document.without("revocation_endpoint");
        assertThat(stored.logout(issuer.mcp()))
                .isEqualTo(new Logout.Forgotten(issuer.issuer(), "it revokes no tokens"));
        assertThat(desk.store.servers()).isEmpty();

        desk.call(oauth.forceLogin());
        issuer.metadata = document -> document;
        issuer.revoked = asked -> JsonObject.of("error", "invalid_client");
        assertThat(stored.logout(issuer.mcp()))
                .isEqualTo(new Logout.Forgotten(issuer.issuer(), "it refuses: invalid_client"));
        assertThat(desk.store.servers()).isEmpty();
    }

    @Test
    void accessTokensThatCannotBeTakenBackEndByThemselves() throws Exception {
        desk.call(oauth);
        issuer.revoked =
                asked ->
                        asked.get("token_type_hint").equals("access_token")
                                ? JsonObject.of("error", "unsupported_token_type")
                                : JsonObject.EMPTY;

        assertThat(stored.logout(issuer.mcp())).isEqualTo(new Logout.Revoked(issuer.issuer()));
    }

    @Test
    @Requirement({"AUTH-067", "SEC-008", "N26-AUTH-013", "N26-AUTH-018"})
    void tokensAreSentOnlyToTheirIssuer() throws Exception {
        desk.call(oauth);
        issuer.metadata = document -> document.with("issuer", "https://evil.example");
        assertThat(stored.logout(issuer.mcp()))
                .isEqualTo(
                        new Logout.Forgotten(
                                issuer.issuer(),
                                "the metadata of the authorization server is that of another"
                                        + " issuer: it names https://evil.example, not "
                                        + issuer.issuer()));

        issuer.metadata = document -> document;
        desk.call(oauth.forceLogin());
        issuer.metadata = document -> document.with("revocation_endpoint", "https://10.0.0.1/x");
        assertThat(stored.logout(issuer.mcp())).isInstanceOf(Logout.Forgotten.class);
        assertThat(issuer.revocations).isEmpty();
    }

    @Test
    void aRemovedLoginIsNotRefreshedFromAnotherClientsMemory() throws Exception {
        desk.call(oauth);
        OAuth.withTokenStore(desk.store).logout(issuer.mcp());
        issuer.valid.clear();

        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(issuer.tokenRequests)
                .extracting(asked -> asked.get("grant_type"))
                .containsExactly("authorization_code", "authorization_code");
    }

    @Test
    void aStoreThatFailsFailsTheRequestAndSaysWhy() throws Exception {
        Path file = Files.writeString(folder.resolve("tokens.json"), "{}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> desk.call(OAuth.withTokenStore(TokenStore.file(file))))
                .isInstanceOf(AuthorizationException.class)
                .hasMessageStartingWith(
                        "Cannot use " + file + ": others than its owner can read it; ");
    }

    @Test
    void scopesOfAnExceptionCannotBeChanged() {
        var e = new LoginRequiredException(issuer.mcp(), Set.of("read"));

        assertThatThrownBy(() -> e.scopes().add("write"))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
