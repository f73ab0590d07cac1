package dev.fairlead.auth.proxy;

import static dev.fairlead.auth.proxy.ProxiedServer.REDIRECT;
import static dev.fairlead.auth.proxy.ProxiedServer.authorize;
import static dev.fairlead.auth.proxy.TestBrowser.location;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.page.HtmlPage;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.platform.Sha256;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** Nothing is sent to the upstream before the person has agreed to it in this browser. */
@Timeout(90)
class ConsentTest {
    private final ProxiedServer server = new ProxiedServer();
    private String client;

    ConsentTest() throws IOException {}

    @BeforeEach
    void register() throws Exception {
        client = server.client("Desk");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    @Requirement({"AUTH-064", "SEC-019", "SEC-020", "N26-AUTH-023"})
    void consentIsRequestedBeforeTheUpstreamIsContacted() throws Exception {
        HttpResponse<String> page = server.browser.open(authorize(client));

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("Desk wants to act for you", "reports:read", REDIRECT, "desk.example")
                .contains("https://reports.example/mcp", "<strong>127.0.0.1</strong>");
        assertThat(server.upstream.authorizations).isEmpty();
    }

    @Test
    @Requirement("SEC-020")
    void noOtherPageCanFrameOrReadTheQuestionAndItRunsNothing() throws Exception {
        HttpResponse<String> page = server.browser.open(authorize(client));

        assertThat(page.headers().firstValue("X-Frame-Options")).hasValue("DENY");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'")
                .doesNotContain("script-src", "unsafe");
        assertThat(page.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(page.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    @Test
    @Requirement({"SEC-020", "SEC-013"})
    void theNameOfAClientIsTextWhateverIsInIt() throws Exception {
        String evil = server.client("<script>alert('1')</script>\u202E&\"\u0000 Bank");

        HttpResponse<String> page = server.browser.open(authorize(evil, "state", "\"><script>"));

        assertThat(page.body())
                .contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp;&quot;  Bank")
                .doesNotContain("<script", "\u202E");
    }

    @Test
    void theServerIsNamedByItsTitleAsText() throws Exception {
        String named = server.browser.open(authorize(client)).body();
        assertThat(named).contains("<dt>The server</dt><dd>reports</dd>");

        try (ProxiedServer titled = ProxiedServer.titled("<b>Quarterly & other</b> reports")) {
            assertThat(titled.browser.open(authorize(titled.client("Desk"))).body())
                    .contains("<dd>&lt;b&gt;Quarterly &amp; other&lt;/b&gt; reports</dd>")
                    .doesNotContain("<b>");
        }
    }

    @Test
    @Requirement("SEC-021")
    void theCookieIsForThisHostAndNoScriptReadsIt() throws Exception {
        HttpResponse<String> page = server.browser.open(authorize(client));

        assertThat(page.headers().firstValue("Set-Cookie").orElseThrow())
                .matches(
                        "__Host-fairlead=[A-Za-z0-9_-]{43}; Path=/; Max-Age=2592000; HttpOnly;"
                                + " SameSite=Lax; Secure");
    }

    @Test
    @Requirement("SEC-021")
    void onTheOwnMachineOverPlainHttpTheCookieIsAnOrdinaryOne() throws Exception {
        try (ProxiedServer local = new ProxiedServer("http://localhost:8080/mcp", proxy -> proxy)) {
            String desk = local.client("Desk");
            HttpResponse<String> page =
                    local.browser.open(authorize(desk, "resource", "http://localhost:8080/mcp"));

            assertThat(page.headers().firstValue("Set-Cookie").orElseThrow())
                    .matches(
                            "fairlead=[A-Za-z0-9_-]{43}; Path=/; Max-Age=2592000; HttpOnly;"
                                    + " SameSite=Lax");
        }
    }

    @Test
    @Requirement({"AUTH-064", "SEC-019", "SEC-023"})
    void consentRedirectsToTheUpstreamWithANewChallengeAndState() throws Exception {
        HttpResponse<String> page = server.browser.open(authorize(client));
        HttpResponse<String> forwarded = server.browser.submit(page, "allow");
        server.browser.open(location(forwarded));

        Form asked = server.upstream.authorizations.getFirst();
        assertThat(forwarded.statusCode()).isEqualTo(303);
        assertThat(asked.get("client_id")).isEqualTo(TestUpstream.CLIENT);
        assertThat(asked.get("redirect_uri")).isEqualTo("https://reports.example/callback");
        assertThat(asked.get("scope")).isEqualTo("read:user");
        assertThat(asked.get("code_challenge_method")).isEqualTo("S256");
        assertThat(asked.get("code_challenge")).isNotEqualTo(Sha256.of(ProxiedServer.VERIFIER));
        assertThat(asked.get("state")).isNotEqualTo("mine").hasSizeGreaterThan(80);
    }

    private static final String DENIED =
            "?error=access_denied&error_description=The%20person%20has%20not%20agreed&state=mine"
                    + "&iss=https%3A%2F%2Freports.example";

    @Test
    @Requirement({"AUTH-064", "AUTH-062"})
    void deniedConsentShowsALinkToTheClientWithoutARedirect() throws Exception {
        HttpResponse<String> page = server.browser.open(authorize(client));

        HttpResponse<String> denied = server.browser.submit(page, "deny");

        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(location(denied)).isEmpty();
        assertThat(denied.body())
                .contains(
                        "You did not allow access",
                        "The application <q>Desk</q> gets no access",
                        "desk.example</a>")
                .contains("href=\"" + HtmlPage.escaped(REDIRECT + DENIED) + "\"");
        assertThat(server.upstream.authorizations).isEmpty();
    }

    @Test
    @Requirement("AUTH-064")
    void denyingFurtherScopesRedirectsToAnAllowedClient() throws Exception {
        server.login(server.browser, authorize(client));
        HttpResponse<String> page =
                server.browser.open(authorize(client, "scope", "reports:purge"));

        assertThat(location(server.browser.submit(page, "deny"))).isEqualTo(REDIRECT + DENIED);
    }

    @Test
    @Requirement("AUTH-064")
    void aClientOnTheMachineOfThePersonLearnsAtOnceThatItIsRefused() throws Exception {
        String redirect = "http://127.0.0.1:7/back";
        String local = server.client("Local", redirect);
        HttpResponse<String> page = server.browser.open(authorize(local, "redirect_uri", redirect));

        assertThat(location(server.browser.submit(page, "deny"))).isEqualTo(redirect + DENIED);
        assertThat(
                        location(
                                server.browser.open(
                                        authorize(
                                                local,
                                                "redirect_uri",
                                                redirect,
                                                "response_type",
                                                "token"))))
                .startsWith(redirect + "?error=unsupported_response_type&");
    }

    @Test
    @Requirement({"SEC-019", "SEC-021"})
    void grantedConsentIsNotRequestedAgainForTheSameScopes() throws Exception {
        server.login(server.browser, authorize(client));

        HttpResponse<String> again = server.browser.open(authorize(client, "state", "another"));

        assertThat(again.statusCode()).isEqualTo(303);
        assertThat(location(again)).startsWith(server.upstream.url() + "/authorize?");
    }

    @Test
    @Requirement({"SEC-019", "SEC-021", "SEC-024"})
    void anotherClientRedirectScopeOrBrowserIsAskedAbout() throws Exception {
        String two = server.client("Two", REDIRECT, REDIRECT + "/2");
        server.login(server.browser, authorize(two));
        TestBrowser other = server.browser();

        assertThat(server.browser.open(authorize(client)).statusCode()).isEqualTo(200);
        assertThat(
                        server.browser
                                .open(authorize(two, "redirect_uri", REDIRECT + "/2"))
                                .statusCode())
                .isEqualTo(200);
        assertThat(server.browser.open(authorize(two, "scope", "reports:purge")).statusCode())
                .isEqualTo(200);
        assertThat(other.open(authorize(two)).statusCode()).isEqualTo(200);
        assertThat(server.browser.open(authorize(two)).statusCode()).isEqualTo(303);
        other.close();
    }

    @Test
    void aConsentIsNotStoredWhereThereIsNoRoomForALogin() throws Exception {
        try (ProxiedServer full = new ProxiedServer(proxy -> proxy.pendingLimit(1, 1))) {
            String first = full.client("First");
            String second = full.client("Second");
            full.browser.submit(full.browser.open(authorize(first)), "allow");

            HttpResponse<String> page = full.browser.open(authorize(second));
            assertThat(full.browser.submit(page, "allow").statusCode()).isEqualTo(429);
            assertThat(full.browser.open(authorize(second)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    @Requirement("SEC-021")
    void anApprovalEndsAfterAWhile() throws Exception {
        server.login(server.browser, authorize(client));
        server.pass(Browsers.KEPT);

        assertThat(server.browser.open(authorize(client)).statusCode()).isEqualTo(200);
    }

    @Test
    @Requirement({"SEC-019", "SEC-020"})
    void theFormOfAnotherBrowserIsRefused() throws Exception {
        TestBrowser attacker = server.browser();
        HttpResponse<String> own = attacker.open(authorize(client));
        server.browser.open(authorize(client));

        HttpResponse<String> refused = server.browser.submit(own, "allow");

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("This form was not made for this browser");
        attacker.close();
    }

    @Test
    @Requirement("SEC-020")
    void aFormThatBrowsersSendForAnotherPageIsRefused() throws Exception {
        Map<String, String> form = TestBrowser.form(server.browser.open(authorize(client)));
        form.put("decision", "allow");
        TestBrowser withoutCookie = server.browser(); // as with SameSite=Lax across sites

        HttpResponse<String> refused = withoutCookie.post(ProxiedServer.ORIGIN + "/consent", form);

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(server.upstream.authorizations).isEmpty();
        withoutCookie.close();
    }

    @ParameterizedTest
    @CsvSource({"request,response_type=code", "until,99999999999", "seal,AAAA"})
    @Requirement("SEC-020")
    void aChangedFormIsRefused(String field, String value) throws Exception {
        Map<String, String> form = TestBrowser.form(server.browser.open(authorize(client)));
        form.put("decision", "allow");
        form.put(field, value);

        HttpResponse<String> refused = server.browser.post(ProxiedServer.ORIGIN + "/consent", form);

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(location(refused)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-", "99999999999999999999", "9223372036854775807"})
    @Requirement("SEC-020")
    void aFormThatAPersonSealsThemselvesNeedsATime(String until) throws Exception {
        HttpResponse<String> page = server.browser.open(authorize(client));
        Map<String, String> form = TestBrowser.form(page);
        String cookie = server.browser.cookies.get("__Host-fairlead");
        form.put("until", until);
        form.put("seal", new Seal(cookie).of("consent", until, form.get("request")));
        form.put("decision", "allow");

        HttpResponse<String> answer =
                server.browser.post(ProxiedServer.ORIGIN + Places.CONSENT, form);
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(location(answer)).isEmpty();
    }

    @Test
    @Requirement("SEC-020")
    void anOldFormIsRefused() throws Exception {
        HttpResponse<String> page = server.browser.open(authorize(client));
        server.pass(Consent.OPEN.plusSeconds(2));

        assertThat(server.browser.submit(page, "allow").statusCode()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/back",
                "https://desk.example/back/",
                "https://desk.example/back?x=1",
                "https://desk.example:444/back",
                "https://DESK.example/back",
                "https://desk.example/back#",
                "http://desk.example/back",
                "https://desk.example/%62ack"
            })
    @Requirement({"SEC-022", "AUTH-062"})
    void aRedirectUriThatIsNotTheRegisteredOneIsNeverGoneTo(String uri) throws Exception {
        HttpResponse<String> answer =
                server.browser.open(authorize(client, "redirect_uri", uri, "scope", "none"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(location(answer)).isEmpty();
        assertThat(answer.body()).contains("The application has not registered the place");
    }

    @Test
    @Requirement({"SEC-022", "AUTH-062"})
    void anUnknownClientIsNotSentAnywhere() throws Exception {
        HttpResponse<String> answer = server.browser.open(authorize("nobody"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(location(answer)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:1/back,http://127.0.0.1:2/back,200",
        "http://[::1]/back,http://[::1]:2/back,200",
        "http://127.0.0.1:1/back,http://127.0.0.1:2/other,400",
        "http://127.0.0.1:1/back,http://[::1]:1/back,400",
        "http://127.0.0.1:1/back,http://127.0.0.1.evil.example/back,400",
        "http://127.0.0.1:1/back,http://127.0.0.1:2@evil.example/back,400",
        "http://localhost:1/back,http://localhost:2/back,400",
        "https://127.0.0.1:1/back,https://127.0.0.1:2/back,400"
    })
    @Requirement("SEC-022")
    void onlyThePortOfALoopbackAddressMayBeAnother(String registered, String asked, int status)
            throws Exception {
        String desk = server.client("Desk", registered);

        assertThat(server.browser.open(authorize(desk, "redirect_uri", asked)).statusCode())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "response_type,token,unsupported_response_type",
        "response_type,,invalid_request",
        "code_challenge,,invalid_request",
        "code_challenge,short,invalid_request",
        "code_challenge_method,plain,invalid_request",
        "code_challenge_method,,invalid_request",
        "resource,https://reports.example/mcp/,invalid_target",
        "resource,https://Reports.example/mcp,invalid_target",
        "resource,https://other.example/mcp,invalid_target",
        "scope,none such,invalid_scope"
    })
    @Requirement({"AUTH-062", "AUTH-058"})
    void aClientThatWasAllowedLearnsByARedirectWhatItHasAskedWrongly(
            String name, String value, String error) throws Exception {
        HttpResponse<String> before = server.browser.open(authorize(client, name, value));
        server.login(server.browser, authorize(client));
        HttpResponse<String> answer = server.browser.open(authorize(client, name, value));
        TestBrowser other = server.browser();
        HttpResponse<String> elsewhere = other.open(authorize(client, name, value));

        for (HttpResponse<String> page : List.of(before, elsewhere)) {
            assertThat(page.statusCode()).isEqualTo(400);
            assertThat(location(page)).isEmpty();
            assertThat(page.body())
                    .contains("This login cannot continue", "Go back to desk.example</a>")
                    .contains("href=\"" + REDIRECT + "?error=" + error + "&amp;");
        }
        assertThat(answer.statusCode()).isEqualTo(303);
        assertThat(location(answer))
                .startsWith(REDIRECT + "?error=" + error + "&")
                .endsWith("&state=mine&iss=https%3A%2F%2Freports.example");
        other.close();
    }

    @Test
    @Requirement({"AUTH-062", "SEC-019"})
    void anErrorGoesNowhereElseThanWhereThePersonHasAllowedIt() throws Exception {
        String other = "https://phish.example/login";
        String two = server.client("Two", REDIRECT, other);
        String third = server.client("Third");
        server.login(server.browser, authorize(two));
        String[] wrong = {"response_type", "token"};

        assertThat(location(server.browser.open(authorize(two, wrong)))).startsWith(REDIRECT);
        assertThat(
                        location(
                                server.browser.open(
                                        authorize(
                                                two,
                                                "redirect_uri",
                                                other,
                                                "response_type",
                                                "token"))))
                .as("another address of the client")
                .isEmpty();
        assertThat(location(server.browser.open(authorize(third, wrong))))
                .as("another client with the same address")
                .isEmpty();
        server.pass(Browsers.KEPT);
        two = server.client("Two", REDIRECT, other);
        assertThat(location(server.browser.open(authorize(two, wrong))))
                .as("after the approval has ended")
                .isEmpty();
    }

    @Test
    @Requirement({"SEC-013", "SEC-020"})
    void thePageOfARefusalShowsWhatOthersWroteAsText() throws Exception {
        String evil = "https://evil.example/\"><script>x</script>".replace("\"", "%22");
        String named = server.client("<b>Bank</b>", "https://evil.example/?a=1&b='x'");

        HttpResponse<String> page =
                server.browser.open(
                        authorize(
                                named,
                                "redirect_uri",
                                "https://evil.example/?a=1&b='x'",
                                "state",
                                evil + "\"><script>",
                                "response_type",
                                "<i>"));

        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body())
                .contains(
                        "&lt;b&gt;Bank&lt;/b&gt;", "href=\"https://evil.example/?a=1&amp;b=&#39;x")
                .doesNotContain("<script", "<i>", "<b>");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'");
    }

    @Test
    void aParameterThatIsThereTwiceIsRefused() throws Exception {
        HttpResponse<String> answer =
                server.browser.open(authorize(client) + "&redirect_uri=https%3A%2F%2Fevil.example");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(location(answer)).isEmpty();
    }

    @Test
    void aClientWithoutANameIsAnApplication() throws Exception {
        HttpResponse<String> registered =
                server.register(JsonObject.of("redirect_uris", JsonArray.of(REDIRECT)));
        String unnamed = ProxiedServer.json(registered).string("client_id");

        assertThat(server.browser.open(authorize(unnamed)).body())
                .contains("An application wants to act for you");
    }
}
