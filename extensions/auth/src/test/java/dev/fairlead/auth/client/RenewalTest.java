package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tokens that end are renewed, by one request for all. */
@Timeout(60)
class RenewalTest {
    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth;

    @Test
    @Requirement({"AUTH-066", "AUTH-055", "AUTH-034"})
    void aTokenThatIsRefusedIsRefreshedAndWhatIsRotatedIsKept() throws Exception {
        desk.call(oauth);
        issuer.valid.clear();
        desk.call(oauth);
        issuer.valid.clear();

        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(1);
        assertThat(issuer.tokenRequests.get(1))
                .containsEntry("refresh_token", "refresh-1")
                .containsEntry("resource", issuer.mcp().toString());
        assertThat(issuer.tokenRequests.get(2)).containsEntry("refresh_token", "refresh-2");
        assertThat(desk.store.read(issuer.mcp()).orElseThrow()).contains("refresh-3");
    }

    @Test
    void aTokenThatIsAboutToEndIsRefreshedBeforeItIsUsed() throws Exception {
        issuer.tokens = answer -> answer.with("expires_in", 10);
        desk.call(oauth);
        int refused = issuer.queries.size();

        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(issuer.tokenRequests).hasSize(2);
        assertThat(issuer.queries).hasSize(refused + 1);
    }

    @Test
    void aTokenThatCannotBeRefreshedJustNowIsUsedAsLongAsItLasts() throws Exception {
        issuer.tokens = answer -> answer.with("expires_in", 10);
        desk.call(oauth);
        issuer.tokens = answer -> JsonObject.of("error", "temporarily_unavailable");

        assertThat(desk.call(oauth)).isEqualTo(200);
    }

    @Test
    @Requirement("AUTH-066")
    void tokensThatAreWorthNothingAnyMoreAreForgotten() throws Exception {
        desk.call(oauth);
        issuer.valid.clear();
        issuer.tokens =
                answer ->
                        issuer.tokenRequests.getLast().containsKey("refresh_token")
                                ? JsonObject.of("error", "invalid_grant")
                                : answer;

        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(2);
        assertThat(desk.store.read(issuer.mcp()).orElseThrow()).doesNotContain("refresh-1");
    }

    @Test
    @Requirement("AUTH-065")
    void manyRequestsShareOneLoginAndOneRefresh() throws Exception {
        callAtOnce(20);
        assertThat(issuer.authorizations).hasSize(1);
        assertThat(issuer.tokenRequests).hasSize(1);

        issuer.valid.clear();
        callAtOnce(20);
        assertThat(issuer.authorizations).hasSize(1);
        assertThat(issuer.tokenRequests).hasSize(2);
    }

    private void callAtOnce(int times) throws Exception {
        List<Future<Integer>> calls = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < times; i++) {
                calls.add(threads.submit(() -> desk.call(oauth)));
            }
        }
        for (Future<Integer> call : calls) {
            assertThat(call.get()).isEqualTo(200);
        }
    }

    @Test
    @Requirement("AUTH-065")
    void aTokenThatIsNeverTakenIsNotReplacedForEver() throws Exception {
        issuer.takesNone = true;

        assertThat(desk.call(oauth)).isEqualTo(401);
        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(
                        "the server refuses a token that was just issued for it; the token was"
                                + " asked for with the resource "
                                + issuer.mcp());
        assertThat(issuer.authorizations).hasSize(1);
    }

    @Test
    void aRefusalOfANewTokenHasTheReasonOfTheServer() throws Exception {
        issuer.takesNone = true;
        issuer.challenge =
                "Bearer error=\"invalid_token\", error_description=\"not for me "
                        + "x".repeat(5_000)
                        + "\"";

        assertThat(desk.call(oauth)).isEqualTo(401);
        assertThatThrownBy(() -> desk.call(oauth))
                .message()
                .startsWith(
                        "the server refuses a token that was just issued for it: invalid_token: not"
                                + " for me xxx")
                .endsWith("; the token was asked for with the resource " + issuer.mcp())
                .hasSizeLessThan(500);
    }

    @Test
    @Requirement("AUTH-066")
    void aTokenThatEndedBeforeItWasEverTakenIsRefreshed() throws Exception {
        issuer.tokens = answer -> answer.with("expires_in", 0);
        issuer.takesNone = true; // for a while
        assertThat(desk.call(oauth)).isEqualTo(401);
        issuer.takesNone = false;
        issuer.valid.clear();

        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(1);
        assertThat(issuer.tokenRequests.get(1)).containsEntry("refresh_token", "refresh-1");
    }

    @Test
    void theLastRequestOfASessionStartsNoLogin() throws Exception {
        assertThat(desk.call(oauth, "DELETE")).isEqualTo(401);
        assertThat(desk.visited).isEmpty();
    }

    @Test
    @Requirement("AUTH-053")
    void aLoginIsKeptWithoutTheSecretThatTheApplicationNamed() throws Exception {
        desk.call(desk.confidential("mine", "s3cret"));

        assertThat(desk.store.read(issuer.mcp()).orElseThrow())
                .contains("access-1")
                .doesNotContain("s3cret");
        assertThat(Login.parse(desk.store.read(issuer.mcp()).orElseThrow(), null).orElseThrow())
                .asString()
                .doesNotContain("access-1", "refresh-1");
    }

    @Test
    void aSecretIsSentAsTheIssuerWantsItAlsoToRenewALogin() throws Exception {
        issuer.metadata =
                metadata ->
                        metadata.with(
                                "token_endpoint_auth_methods_supported",
                                List.of("client_secret_post"));
        OAuth named = desk.confidential("mine", "s3cret");
        desk.call(named);
        issuer.valid.clear();
        desk.call(named);
        issuer.valid.clear();
        desk.call(named.loginTimeout(Duration.ofMinutes(1))); // reads the login from the store

        assertThat(issuer.tokenRequests).hasSize(3);
        assertThat(issuer.tokenRequests)
                .allMatch(request -> "s3cret".equals(request.get("client_secret")));
        assertThat(issuer.credentials).containsOnly("null");
        assertThat(issuer.authorizations).hasSize(1);
    }

    @Test
    void aStoredSecretRefreshesTheLoginFromTheTokenStore() throws Exception {
        desk.call(desk.confidential("mine", "s3cret").keepSecret());
        issuer.valid.clear();

        assertThat(desk.call(OAuth.withTokenStore(desk.store))).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(1);
        assertThat(issuer.tokenRequests.get(1)).containsEntry("refresh_token", "refresh-1");
        assertThat(issuer.credentials.get(1))
                .isEqualTo(issuer.credentials.get(0))
                .startsWith("Basic ");
        assertThat(desk.store.read(issuer.mcp()).orElseThrow()).contains("s3cret", "refresh-2");
    }

    @Test
    void aLoginOutlivesTheProcess() throws Exception {
        desk.call(oauth);

        assertThat(desk.call(OAuth.browser("Desk").tokens(desk.store).browser(desk::visit)))
                .isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(1);
    }
}
