package dev.fairlead.auth.proxy;

import static dev.fairlead.auth.proxy.ProxiedServer.authorize;
import static dev.fairlead.auth.proxy.ProxiedServer.json;
import static dev.fairlead.auth.proxy.ProxiedServer.redemption;
import static dev.fairlead.auth.proxy.ProxiedServer.refreshing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Codes and tokens are good for their client and this resource, once or for a short time. */
@Timeout(90)
class TokensTest {
    private final ProxiedServer server = new ProxiedServer();
    private String client;

    TokensTest() throws IOException {}

    @BeforeEach
    void register() throws Exception {
        client = server.client("Desk");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private String code() throws Exception {
        return server.login(server.browser, agreed()).get("code");
    }

    /** A URL for which this person has to agree again. */
    private String agreed() {
        server.browser.cookies.clear();
        return authorize(client);
    }

    private String redeem(Map<String, String> form) throws Exception {
        HttpResponse<String> answer = server.token(form);
        return answer.statusCode() == 200
                ? json(answer).string("access_token")
                : answer.statusCode() + " " + json(answer).string("error");
    }

    private String refresh(JsonObject tokens) throws Exception {
        return redeem(refreshing(client, tokens.string("refresh_token")));
    }

    private int mcp(JsonObject tokens) throws Exception {
        return server.mcp(tokens.string("access_token")).statusCode();
    }

    @Test
    @Requirement({"AUTH-042", "AUTH-054", "AUTH-068"})
    void aCodeBecomesTokensForThisResource() throws Exception {
        HttpResponse<String> answer = server.token(redemption(client, code()));

        JsonObject tokens = json(answer);
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(tokens.string("token_type")).isEqualTo("Bearer");
        assertThat(tokens.integer("expires_in")).isEqualTo(900);
        assertThat(tokens.string("scope")).isEqualTo("reports:read");
        assertThat(mcp(tokens)).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("upstream");
    }

    @Test
    @Requirement({"AUTH-043", "AUTH-045", "SEC-006"})
    void aTokenOfTheUpstreamIsRefused() throws Exception {
        code();

        assertThat(server.mcp("upstream-token").statusCode()).isEqualTo(401);
    }

    @Test
    @Requirement({"AUTH-043", "SEC-006"})
    void aTokenOfAnotherProxyIsRefused() throws Exception {
        try (ProxiedServer other = new ProxiedServer()) {
            JsonObject tokens = other.tokens(other.client("Desk"));

            assertThat(other.mcp(tokens.string("access_token")).statusCode()).isEqualTo(200);
            assertThat(mcp(tokens)).isEqualTo(401);
        }
    }

    @Test
    @Requirement({"AUTH-003", "AUTH-058"})
    void aCodeThatIsBroughtAgainEndsTheLogin() throws Exception {
        String code = code();
        JsonObject tokens = json(server.token(redemption(client, code)));

        assertThat(redeem(redemption(client, code))).isEqualTo("400 invalid_grant");
        assertThat(mcp(tokens)).isEqualTo(401);
        assertThat(refresh(tokens)).isEqualTo("400 invalid_grant");
    }

    @ParameterizedTest
    @CsvSource({
        "code_verifier,another-verifier-of-forty-three-characters-0",
        "code_verifier,",
        "redirect_uri,https://desk.example/other"
    })
    @Requirement({"AUTH-003", "AUTH-058", "SEC-022"})
    void aCodeThatIsBroughtWronglyIsSpent(String name, String value) throws Exception {
        Map<String, String> form = redemption(client, code());
        String right = form.put(name, value == null ? "" : value);

        assertThat(redeem(form)).isEqualTo("400 invalid_grant");
        form.put(name, right);
        assertThat(redeem(form)).isEqualTo("400 invalid_grant");
    }

    @Test
    @Requirement("AUTH-003")
    void theCodeOfAnotherClientIsRefused() throws Exception {
        String other = server.client("Other");

        assertThat(redeem(redemption(other, code()))).isEqualTo("400 invalid_grant");
    }

    @Test
    @Requirement("AUTH-003")
    void aCodeIsGoodForAShortTime() throws Exception {
        String code = code();
        server.pass(Logins.CODE);

        assertThat(redeem(redemption(client, code))).isEqualTo("400 invalid_grant");
    }

    @ParameterizedTest
    @CsvSource({
        "client_id,nobody,401 invalid_client",
        "client_id,,400 invalid_request",
        "resource,https://reports.example/mcp/,400 invalid_target",
        "grant_type,password,400 unsupported_grant_type",
        "grant_type,,400 invalid_request",
        "code,unknown.code,400 invalid_grant",
        "code,.,400 invalid_grant"
    })
    @Requirement("AUTH-043")
    void whatIsNoRedemptionIsRefused(String name, String value, String refusal) throws Exception {
        Map<String, String> form = redemption(client, code());
        String right = form.put(name, value == null ? "" : value);

        assertThat(redeem(form)).isEqualTo(refusal);
        form.put(name, right);
        assertThat(redeem(form)).as("the code is not spent").hasSize(87);
    }

    @Test
    @Requirement({"AUTH-054", "AUTH-044"})
    void anAccessTokenIsGoodForAShortTime() throws Exception {
        JsonObject tokens = json(server.token(redemption(client, code())));
        server.pass(Duration.ofMinutes(15));

        assertThat(mcp(tokens)).isEqualTo(401);
    }

    @Test
    @Requirement("AUTH-055")
    void aRefreshGivesNewTokensAndTheOldRefreshTokenIsSpent() throws Exception {
        JsonObject first = json(server.token(redemption(client, code())));
        JsonObject second = json(server.token(refreshing(client, first.string("refresh_token"))));

        assertThat(second.string("refresh_token")).isNotEqualTo(first.string("refresh_token"));
        assertThat(mcp(first)).as("requests under way").isEqualTo(200);
        assertThat(mcp(second)).isEqualTo(200);
        assertThat(refresh(first)).isEqualTo("400 invalid_grant");
        assertThat(mcp(second)).as("after the replay").isEqualTo(401);
        assertThat(refresh(second)).isEqualTo("400 invalid_grant");
    }

    @Test
    @Requirement("AUTH-055")
    void theRefreshTokenOfAnotherClientEndsTheLogin() throws Exception {
        JsonObject tokens = json(server.token(redemption(client, code())));
        String other = server.client("Other");

        assertThat(redeem(refreshing(other, tokens.string("refresh_token"))))
                .isEqualTo("400 invalid_grant");
        assertThat(mcp(tokens)).isEqualTo(401);
    }

    /** The last character has two bits of which base64 makes nothing. */
    private static String other(String token) {
        char last = token.charAt(token.length() - 1);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        return token.substring(0, token.length() - 1) + alphabet.charAt(alphabet.indexOf(last) ^ 1);
    }

    @Test
    @Requirement("AUTH-055")
    void whatWasNeverIssuedEndsNoLogin() throws Exception {
        String code = code();
        JsonObject tokens = json(server.token(redemption(client, code)));
        String refresh = tokens.string("refresh_token");
        String access = tokens.string("access_token");
        String id = refresh.substring(0, refresh.indexOf('.'));

        for (String damaged :
                List.of(
                        id,
                        id + ".",
                        id + ".x",
                        id + "." + "A".repeat(43),
                        id + "..",
                        refresh + "A",
                        refresh + " ",
                        refresh.substring(0, refresh.length() - 1),
                        other(refresh),
                        refresh.replaceFirst("\\.(.)", ".$1$1"),
                        access,
                        code)) {
            assertThat(redeem(refreshing(client, damaged)))
                    .as(damaged)
                    .isEqualTo("400 invalid_grant");
            if (!damaged.equals(code)) {
                assertThat(redeem(redemption(client, damaged)))
                        .as(damaged)
                        .isEqualTo("400 invalid_grant");
            }
            assertThat(mcp(tokens)).as("after " + damaged).isEqualTo(200);
        }
        assertThat(refresh(tokens)).as("the login continues").hasSize(87);
    }

    @Test
    void aCodeThatIsDamagedIsNotSpent() throws Exception {
        String code = code();

        assertThat(redeem(redemption(client, other(code)))).isEqualTo("400 invalid_grant");
        assertThat(redeem(redemption(client, code))).hasSize(87);
    }

    @Test
    void theOldestLoginOfAPersonWithTooManyEndsAndNoOther() throws Exception {
        try (ProxiedServer few = new ProxiedServer(proxy -> proxy.loginLimit(2, 100))) {
            String desk = few.client("Desk");
            few.upstream.user = JsonObject.of("id", 1);
            JsonObject other = few.tokens(desk);
            few.upstream.user = JsonObject.of("id", 2);
            few.browser.cookies.clear();
            JsonObject first = few.tokens(desk);
            few.browser.cookies.clear();
            JsonObject second = few.tokens(desk);
            few.browser.cookies.clear();
            JsonObject third = few.tokens(desk);

            assertThat(few.mcp(other.string("access_token")).statusCode()).isEqualTo(200);
            assertThat(few.mcp(first.string("access_token")).statusCode()).isEqualTo(401);
            assertThat(few.mcp(second.string("access_token")).statusCode()).isEqualTo(200);
            assertThat(few.mcp(third.string("access_token")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aLoginEndsHoweverOftenItIsRenewed() throws Exception {
        JsonObject tokens = json(server.token(redemption(client, code())));
        server.pass(Duration.ofDays(7).minusSeconds(60));
        JsonObject last = json(server.token(refreshing(client, tokens.string("refresh_token"))));
        assertThat(last.integer("expires_in")).isBetween(50L, 60L);
        server.pass(Duration.ofSeconds(60));

        assertThat(mcp(last)).isEqualTo(401);
        assertThat(refresh(last)).isEqualTo("400 invalid_grant");
    }

    @ParameterizedTest
    @CsvSource({"access_token", "refresh_token"})
    void aClientEndsItsLogin(String which) throws Exception {
        JsonObject tokens = json(server.token(redemption(client, code())));
        Map<String, String> form = Map.of("client_id", client, "token", tokens.string(which));

        HttpResponse<String> answer = revoke(form);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(mcp(tokens)).isEqualTo(401);
        assertThat(refresh(tokens)).isEqualTo("400 invalid_grant");
        assertThat(revoke(form).statusCode()).as("a second time").isEqualTo(200);
    }

    @Test
    void noClientEndsTheLoginOfAnother() throws Exception {
        JsonObject tokens = json(server.token(redemption(client, code())));
        String other = server.client("Other");

        HttpResponse<String> answer =
                revoke(Map.of("client_id", other, "token", tokens.string("access_token")));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(mcp(tokens)).isEqualTo(200);
    }

    private HttpResponse<String> revoke(Map<String, String> form) throws Exception {
        return server.send("POST", "/revoke", FormEncoding.TYPE, FormEncoding.body(form));
    }

    @Test
    @Requirement({"SEC-024", "AUTH-048"})
    void furtherScopesAreGrantedOnRequest() throws Exception {
        server.browser.cookies.clear();
        String both = authorize(client, "scope", "reports:read reports:purge unknown");
        String code = server.login(server.browser, both).get("code");

        assertThat(json(server.token(redemption(client, code))).string("scope"))
                .isEqualTo("reports:purge reports:read");
    }
}
