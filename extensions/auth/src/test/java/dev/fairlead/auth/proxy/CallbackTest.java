package dev.fairlead.auth.proxy;

import static dev.fairlead.auth.proxy.ProxiedServer.REDIRECT;
import static dev.fairlead.auth.proxy.ProxiedServer.authorize;
import static dev.fairlead.auth.proxy.TestBrowser.location;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

/** A browser's return from the upstream is accepted once, from the browser that went there. */
@Timeout(90)
class CallbackTest {
    private final ProxiedServer server = new ProxiedServer();
    private String client;

    CallbackTest() throws IOException {}

    @BeforeEach
    void register() throws Exception {
        client = server.client("Desk");
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** The person agrees and logs in; where the upstream sends the browser back to. */
    private String returning(TestBrowser person) throws Exception {
        HttpResponse<String> forwarded = person.submit(person.open(authorize(client)), "allow");
        return location(person.open(location(forwarded)));
    }

    @Test
    @Requirement({"SEC-023", "AUTH-063"})
    void theClientGetsACodeWithItsStateAndTheIssuer() throws Exception {
        String back = location(server.browser.open(returning(server.browser)));

        assertThat(back)
                .matches(
                        "https://desk\\.example/back\\?code=[A-Za-z0-9_.-]{87}&state=mine"
                                + "&iss=https%3A%2F%2Freports\\.example");
    }

    @Test
    @Requirement("SEC-023")
    void aStateIsGoodOnce() throws Exception {
        String callback = returning(server.browser);
        server.browser.open(callback);

        HttpResponse<String> replayed = server.browser.open(callback);

        assertThat(replayed.statusCode()).isEqualTo(400);
        assertThat(location(replayed)).isEmpty();
        assertThat(server.upstream.redemptions).hasSize(1);
    }

    @Test
    @Requirement("SEC-023")
    void aStateIsGoodForAShortTime() throws Exception {
        String callback = returning(server.browser);
        server.pass(Forwarding.PENDING);

        assertThat(server.browser.open(callback).statusCode()).isEqualTo(400);
        assertThat(server.upstream.redemptions).isEmpty();
    }

    @Test
    @Requirement({"SEC-023", "AUTH-064"})
    void aStateIsGoodInNoOtherBrowser() throws Exception {
        TestBrowser victim = server.browser();
        victim.open(authorize(client)); // has a cookie of its own
        TestBrowser bare = server.browser();
        String callback = returning(server.browser);

        assertThat(victim.open(callback).statusCode()).isEqualTo(403);
        assertThat(bare.open(callback).statusCode()).isEqualTo(403);
        assertThat(server.upstream.redemptions).isEmpty();
        assertThat(location(server.browser.open(callback))).startsWith(REDIRECT + "?code=");
        victim.close();
        bare.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "x.y", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.AAAA", "."})
    @Requirement("SEC-023")
    void aForgedStateIsRefused(String state) throws Exception {
        server.browser.open(authorize(client));
        Map<String, String> query = Map.of("code", "upstream-code-1", "state", state);

        HttpResponse<String> answer =
                server.browser.open(
                        FormEncoding.appended(ProxiedServer.ORIGIN + "/callback", query));

        assertThat(answer.statusCode()).isBetween(400, 403);
        assertThat(location(answer)).isEmpty();
    }

    @Test
    @Requirement("SEC-023")
    void theSealOfAFormIsNoState() throws Exception {
        Map<String, String> form = TestBrowser.form(server.browser.open(authorize(client)));
        Map<String, String> query =
                Map.of("code", "x", "state", form.get("until") + "." + form.get("seal"));

        HttpResponse<String> answer =
                server.browser.open(
                        FormEncoding.appended(ProxiedServer.ORIGIN + "/callback", query));

        assertThat(answer.statusCode()).isEqualTo(403);
    }

    @Test
    void whomTheUpstreamRefusesGoesBackToTheClient() throws Exception {
        server.upstream.redirect =
                answer -> Map.of("error", "access_denied", "state", answer.get("state"));

        assertThat(location(server.browser.open(returning(server.browser))))
                .startsWith(REDIRECT + "?error=access_denied&")
                .contains("&state=mine&iss=");
    }

    @Test
    void whatElseTheUpstreamSaysIsNotPassedOn() throws Exception {
        server.upstream.redirect =
                answer ->
                        Map.of(
                                "error", "odd",
                                "error_description", "secret words",
                                "state", answer.get("state"));

        assertThat(location(server.browser.open(returning(server.browser))))
                .startsWith(REDIRECT + "?error=server_error&")
                .doesNotContain("secret", "odd");
    }

    @Test
    void aCodeThatTheUpstreamDoesNotTakeEndsTheLogin() throws Exception {
        server.upstream.redirect =
                answer -> {
                    Map<String, String> forged = new HashMap<>(answer);
                    forged.put("code", "forged");
                    return forged;
                };

        assertThat(location(server.browser.open(returning(server.browser))))
                .startsWith(REDIRECT + "?error=server_error&");
    }

    @Test
    void aUserResponseWithoutTheIdMemberIsRefused() throws Exception {
        server.upstream.user = JsonObject.of("login", "ann");

        assertThat(location(server.browser.open(returning(server.browser))))
                .startsWith(REDIRECT + "?error=server_error&");
    }

    @Test
    void anIdThatWasNotFoundOutIsAskedForWithTheTokenOfTheUpstream() throws Exception {
        server.browser.open(returning(server.browser));

        assertThat(server.upstream.asked).containsExactly("Bearer upstream-token");
        assertThat(server.upstream.redemptions.getFirst().get("client_secret"))
                .isEqualTo(TestUpstream.SECRET);
    }
}
