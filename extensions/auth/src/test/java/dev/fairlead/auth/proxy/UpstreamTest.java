package dev.fairlead.auth.proxy;

import static dev.fairlead.auth.proxy.ProxiedServer.REDIRECT;
import static dev.fairlead.auth.proxy.ProxiedServer.authorize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.json.JsonArray;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** The upstream alone decides which user has logged in. */
@Timeout(90)
class UpstreamTest {
    private static final URI ANYWHERE = URI.create("https://login.example/x");

    private static ProxiedServer server(Function<TestUpstream, Upstream> upstream)
            throws Exception {
        TestUpstream provider = new TestUpstream();
        return new ProxiedServer(
                provider,
                ProxiedServer.RESOURCE,
                proxy -> proxy.upstream(upstream.apply(provider)));
    }

    /** Returns the page at which the login of a person ends. */
    private static String end(ProxiedServer server) throws Exception {
        String client = server.client("Desk");
        return server.browser.follow(
                server.browser.submit(server.browser.open(authorize(client)), "allow"), REDIRECT);
    }

    private static String caller(ProxiedServer server) throws Exception {
        return server.who(server.tokens(server.client("Desk")).string("access_token"));
    }

    @Test
    @Requirement("AUTH-068")
    void theSubjectIsWhatTheUserEndpointSays() throws Exception {
        try (ProxiedServer server = server(TestUpstream::plain)) {
            assertThat(caller(server)).contains("4711@https://reports.example by Optional[");
        }
    }

    @Test
    @Requirement("AUTH-068")
    void theSubjectIsThatOfTheIdToken() throws Exception {
        try (ProxiedServer server = server(TestUpstream::openId)) {
            assertThat(caller(server)).contains("ann-at-upstream@https://reports.example");
            assertThat(server.upstream.authorizations.getFirst().get("scope")).isEqualTo("openid");
            assertThat(server.upstream.asked).isEmpty();
        }
    }

    @Test
    void theSecretIsSentAsTheMetadataWants() throws Exception {
        try (ProxiedServer server = server(TestUpstream::openId)) {
            assertThat(end(server)).contains("?code=");
            server.pass(UpstreamDiscovery.KEPT);
            server.upstream.metadata =
                    document ->
                            document.with(
                                    "token_endpoint_auth_methods_supported",
                                    JsonArray.of("client_secret_post"));
            assertThat(end(server)).contains("?code=");

            assertThat(server.upstream.redemptions)
                    .extracting(form -> form.get("client_secret"))
                    .containsExactly("", TestUpstream.SECRET);
        }
    }

    static Stream<Map.Entry<String, Object>> forgedClaims() {
        return Stream.of(
                Map.entry("iss", "https://evil.example"),
                Map.entry("aud", "another-client"),
                Map.entry("sub", ""),
                Map.entry("sub", " "),
                Map.entry("sub", 4711L),
                Map.entry("nonce", "another"),
                Map.entry("exp", Date.from(TestUpstream.PAST.plusSeconds(600))));
    }

    @ParameterizedTest
    @MethodSource("forgedClaims")
    void anIdTokenForSomethingElseIsRefused(Map.Entry<String, Object> claim) throws Exception {
        try (ProxiedServer server = server(TestUpstream::openId)) {
            server.upstream.claims = claims -> claims.claim(claim.getKey(), claim.getValue());

            assertThat(end(server)).startsWith(REDIRECT + "?error=server_error&");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zip", "enc"})
    void anIdTokenWhoseHeaderChangesItsReadingIsRefused(String member) throws Exception {
        try (ProxiedServer server = server(TestUpstream::openId)) {
            server.upstream.header = usual -> usual.customParam(member, "DEF");

            assertThat(end(server)).startsWith(REDIRECT + "?error=server_error&");
        }
    }

    @Test
    void anIdTokenSignedWithAnotherKeyIsRefused() throws Exception {
        try (ProxiedServer server = server(TestUpstream::openId)) {
            server.upstream.signedBy = TestUpstream.newKey();

            assertThat(end(server)).startsWith(REDIRECT + "?error=server_error&");
        }
    }

    static Stream<BiConsumer<TestUpstream, Map<String, String>>> issuers() {
        return Stream.of(
                (upstream, answer) -> answer.put("iss", "https://evil.example"),
                (upstream, answer) -> answer.put("iss", upstream.url() + "/"),
                (upstream, answer) -> answer.remove("iss"));
    }

    @ParameterizedTest
    @MethodSource("issuers")
    @Requirement("SEC-023")
    void aReturnFromAnotherIssuerIsNotBelieved(BiConsumer<TestUpstream, Map<String, String>> change)
            throws Exception {
        try (ProxiedServer server = server(TestUpstream::openId)) {
            server.upstream.redirect =
                    answer -> {
                        Map<String, String> changed = new HashMap<>(answer);
                        change.accept(server.upstream, changed);
                        return changed;
                    };

            assertThat(end(server)).startsWith(REDIRECT + "?error=server_error&");
            assertThat(server.upstream.redemptions).isEmpty();
        }
    }

    @Test
    @Requirement("SEC-023")
    void anIssuerThatWasNamedHasToBeTheOneOfTheReturn() throws Exception {
        try (ProxiedServer right = server(provider -> provider.plain().issuer(provider.url()));
                ProxiedServer wrong =
                        server(provider -> provider.plain().issuer("https://other.example"))) {
            assertThat(end(right)).contains("?code=");
            assertThat(end(wrong)).contains("?error=server_error&");
        }
    }

    @Test
    void metadataOfAnotherIssuerIsNotUsed() throws Exception {
        try (ProxiedServer server = server(TestUpstream::openId)) {
            server.upstream.metadata = document -> document.with("issuer", "https://evil.example");

            assertThat(end(server)).contains("?error=temporarily_unavailable&");
            assertThat(server.upstream.authorizations).isEmpty();
        }
    }

    @Test
    @Requirement({"SEC-007", "SEC-008"})
    void metadataCannotHaveTheSecretSentToPrivateAddresses() throws Exception {
        try (ProxiedServer server = server(TestUpstream::openId)) {
            server.upstream.metadata =
                    document -> document.with("token_endpoint", "https://10.0.0.1/token");

            assertThat(end(server)).contains("?error=server_error&");
        }
    }

    @Test
    void aUserThatTheFilterRejectsIsRefused() throws Exception {
        try (ProxiedServer server = new ProxiedServer(proxy -> proxy.users("1"::equals))) {
            assertThat(end(server)).startsWith(REDIRECT + "?error=access_denied&");
        }
    }

    @Test
    void aCheckOfUsersThatFailsSendsTheBrowserBackToTheClient() throws Exception {
        try (ProxiedServer server =
                new ProxiedServer(
                        proxy ->
                                proxy.users(
                                        user -> {
                                            throw new IllegalStateException("no directory");
                                        }))) {
            assertThat(end(server))
                    .startsWith(REDIRECT + "?error=server_error&")
                    .doesNotContain("directory");
        }
    }

    @Test
    void theApplicationCanResolveTheUpstreamUserItself() throws Exception {
        List<String> seen = new ArrayList<>();
        UpstreamUser own =
                token -> {
                    seen.add(token);
                    return seen.size() == 1 ? Optional.of("own") : Optional.empty();
                };
        try (ProxiedServer server = server(provider -> provider.plain().user(own))) {
            assertThat(caller(server)).contains("own@https://reports.example");
            assertThat(end(server)).startsWith(REDIRECT + "?error=access_denied&");
            assertThat(seen).containsExactly("upstream-token", "upstream-token");
        }
    }

    @Test
    void whatIsMissingIsMissedAtTheStart() {
        HttpAuthorization bare = AuthorizationProxy.at("https://reports.example/mcp");
        Upstream upstream = Upstream.of(ANYWHERE, ANYWHERE);
        Secret secret = Secret.from(() -> "x");

        assertThatThrownBy(bare::routes)
                .hasMessage("the proxy has no upstream; set it with AuthorizationProxy.upstream");
        assertThatThrownBy(with(upstream)::routes)
                .hasMessage("the upstream has no client; set it with Upstream.client");
        assertThatThrownBy(with(upstream.client("id", secret))::routes)
                .hasMessage(
                        "an upstream without OpenID does not report who has logged in; set"
                                + " Upstream.user");
        assertThat(with(upstream.client("id", secret).user(ANYWHERE, "id")).routes()).hasSize(9);
    }

    private static HttpAuthorization with(Upstream upstream) {
        return AuthorizationProxy.at("https://reports.example/mcp").upstream(upstream);
    }

    @Test
    @Requirement("SEC-008")
    void anUpstreamIsAtHttpsUrls() {
        URI plain = URI.create("http://login.example/x");

        assertThatThrownBy(() -> Upstream.of(plain, ANYWHERE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Upstream.of(ANYWHERE, plain))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Upstream.openId("http://login.example"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Upstream.openId("https://login.example").issuer("x"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(Upstream.of(ANYWHERE, ANYWHERE).client("id", Secret.from(() -> "secret")))
                .hasToString("upstream [login.example]");
    }
}
