package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.RequestAuthorization;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@Timeout(60)
class OAuthTest {
    private final HttpClient http =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    private final List<URI> visited = new CopyOnWriteArrayList<>();
    private final TokenStore store = TokenStore.memory();
    private final OAuth oauth = OAuth.browser("Desk").tokens(store).browser(this::visit);
    private TestIssuer issuer;

    @BeforeEach
    void start() throws IOException {
        issuer = new TestIssuer();
    }

    @AfterEach
    void stop() {
        issuer.close();
        http.shutdownNow();
    }

    /** The person, who agrees to everything. */
    private void visit(URI url) {
        visited.add(url);
        try {
            http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a request, as often as its authorization wants, and gives the last status. */
    private int call(OAuth authorization) throws IOException, InterruptedException {
        return call(authorization, "POST");
    }

    private int call(OAuth authorization, String method) throws IOException, InterruptedException {
        RequestAuthorization authorized = authorization.request(issuer.mcp(), method, issuer.mcp());
        while (true) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(issuer.mcp())
                            .method(method, HttpRequest.BodyPublishers.noBody());
            authorized.headers().forEach(request::setHeader);
            HttpResponse<Void> answer = http.send(request.build(), BodyHandlers.discarding());
            if (!authorized.again(answer.statusCode(), answer.headers())) {
                return answer.statusCode();
            }
        }
    }

    private void assertRefused(OAuth authorization, String message) {
        assertThatThrownBy(() -> call(authorization))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(message);
        assertThat(issuer.tokenRequests).isEmpty();
    }

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
        "ROOM-086"
    })
    void aPersonLogsIn() throws Exception {
        assertThat(call(oauth)).isEqualTo(200);
        assertThat(call(oauth)).isEqualTo(200);

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

    private static String challenge(String verifier) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes("US-ASCII"));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }

    @Test
    @Requirement({"AUTH-006", "AUTH-023", "AUTH-057"})
    void aClientThatRegistersItselfSaysThatItIsNative() throws Exception {
        call(oauth);

        JsonObject registered = issuer.registrations.getFirst();
        assertThat(registered.string("client_name")).isEqualTo("Desk");
        assertThat(registered.string("application_type")).isEqualTo("native");
        assertThat(registered.string("token_endpoint_auth_method")).isEqualTo("none");
        assertThat(registered.array("redirect_uris").get(0).toString())
                .contains(issuer.authorizations.getFirst().get("redirect_uri"));
    }

    @Test
    @Requirement({"AUTH-005", "AUTH-023", "AUTH-027", "AUTH-028", "AUTH-032"})
    void aClientIsKnownBeforeItRegisters() throws Exception {
        OAuth named = oauth.clientMetadata(URI.create("https://desk.example/client.json"));
        call(named.client("mine").tokens(TokenStore.memory()));
        call(named.tokens(TokenStore.memory()));
        issuer.metadata = document -> document.with("client_id_metadata_document_supported", true);
        call(named.tokens(TokenStore.memory()));

        assertThat(issuer.authorizations)
                .extracting(asked -> asked.get("client_id"))
                .containsExactly("mine", "client-1", "https://desk.example/client.json");
    }

    @ParameterizedTest
    @Requirement("AUTH-024")
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
    @Requirement({"AUTH-067", "AUTH-041"})
    void metadataOfAnotherIssuerIsNotUsed() {
        issuer.metadata = document -> document.with("issuer", "https://evil.example");

        assertRefused(oauth, "the metadata of the authorization server is that of another issuer");
        assertThat(visited).isEmpty();
    }

    @ParameterizedTest
    @Requirement({"AUTH-067", "ROOM-084"})
    @ValueSource(
            strings = {
                "https://evil.example/mcp",
                "http://localhost:1/mcp",
                "ORIGIN/mc",
                "ORIGIN/other",
                "ORIGIN/mcp/deeper",
                "ORIGIN/mcp#x",
                "nothing"
            })
    void metadataOfAnotherResourceIsNotUsed(String resource) {
        issuer.resource =
                document -> document.with("resource", resource.replace("ORIGIN", issuer.issuer()));

        assertRefused(
                oauth,
                "the metadata of the server at " + issuer.issuer() + " is about another resource");
        assertThat(visited).isEmpty();
    }

    @Test
    @Requirement({"AUTH-034", "ROOM-084"})
    void theResourceIsNamedAsTheServerNamesIt() throws Exception {
        issuer.resource = document -> document.with("resource", issuer.issuer() + "/");

        assertThat(call(oauth)).isEqualTo(200);
        assertThat(issuer.authorizations.getFirst())
                .containsEntry("resource", issuer.issuer() + "/");
        assertThat(issuer.tokenRequests.getFirst())
                .containsEntry("resource", issuer.issuer() + "/");
    }

    @Test
    @Requirement({"AUTH-059", "ROOM-085"})
    void aServerThatDoesNotSayThatItSupportsPkceIsRefused() {
        issuer.metadata = document -> document.without("code_challenge_methods_supported");

        assertRefused(
                oauth, "the authorization server does not say that it supports PKCE with S256");
        assertThat(visited).isEmpty();
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

        assertRefused(oauth, "the authorization server names no https URL to log in at");
        assertThat(visited).isEmpty();
    }

    @ParameterizedTest
    @Requirement({"SEC-007", "SEC-008"})
    @ValueSource(strings = {"https://169.254.169.254", "https://10.0.0.1", "https://[fd00::1]"})
    void anIssuerAtAPrivateAddressIsNotAsked(String address) {
        issuer.resource = document -> document.with("authorization_servers", JsonArray.of(address));

        assertRefused(oauth, "the authorization server publishes no metadata");
    }

    @Test
    @Requirement("SEC-008")
    void aTokenEndpointAtAPrivateAddressIsNotAsked() {
        issuer.metadata = document -> document.with("token_endpoint", "https://10.0.0.1/token");

        assertThatThrownBy(() -> call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(
                        "the login failed: https://10.0.0.1 is not fetched: the address 10.0.0.1"
                                + " is not allowed");
    }

    @Test
    @Requirement({"AUTH-067", "AUTH-063"})
    void aRedirectFromAnotherIssuerIsRefused() {
        issuer.redirect = parameters -> with(parameters, "iss", "https://evil.example");
        assertRefused(oauth, "the redirect is from another authorization server");

        issuer.redirect = parameters -> with(parameters, "iss", issuer.issuer() + "/");
        assertRefused(oauth, "the redirect is from another authorization server");

        issuer.redirect = parameters -> without(parameters, "iss");
        assertRefused(oauth, "the redirect does not say which authorization server it is from");

        issuer.metadata =
                document -> document.without("authorization_response_iss_parameter_supported");
        issuer.redirect = parameters -> with(parameters, "iss", "https://evil.example");
        assertRefused(oauth, "the redirect is from another authorization server");
    }

    @Test
    void anErrorFromAnotherIssuerIsNotShown() {
        issuer.redirect =
                parameters ->
                        with(
                                with(parameters, "error", "access_denied"),
                                "iss",
                                "https://evil.example");

        assertRefused(oauth, "the redirect is from another authorization server");
    }

    private static Map<String, String> with(
            Map<String, String> parameters, String name, String value) {
        Map<String, String> changed = new HashMap<>(parameters);
        changed.put(name, value);
        return changed;
    }

    private static Map<String, String> without(Map<String, String> parameters, String name) {
        Map<String, String> changed = new HashMap<>(parameters);
        changed.remove(name);
        return changed;
    }

    @Test
    @Requirement({"AUTH-063", "ROOM-086"})
    void aRedirectWithAnotherStateOrNoneIsDiscarded() {
        OAuth hasty = oauth.loginTimeout(Duration.ofMillis(500));
        issuer.redirect = parameters -> with(parameters, "state", "other");
        assertRefused(hasty, "nobody has logged in within PT0.5S");

        issuer.redirect = parameters -> without(parameters, "state");
        assertRefused(hasty, "nobody has logged in within PT0.5S");
    }

    @Test
    void aLoginThatIsRefusedSaysWhy() {
        issuer.redirect =
                parameters ->
                        with(
                                with(without(parameters, "code"), "error", "access_denied"),
                                "error_description",
                                "not \u001b[31mtoday");

        assertRefused(
                oauth,
                "the authorization server refuses the login: access_denied (not  [31mtoday)");
    }

    @Test
    @Requirement({"AUTH-066", "AUTH-055", "AUTH-034"})
    void aTokenThatIsRefusedIsRefreshedAndWhatIsRotatedIsKept() throws Exception {
        call(oauth);
        issuer.valid.clear();
        call(oauth);
        issuer.valid.clear();

        assertThat(call(oauth)).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(1);
        assertThat(issuer.tokenRequests.get(1))
                .containsEntry("refresh_token", "refresh-1")
                .containsEntry("resource", issuer.mcp().toString());
        assertThat(issuer.tokenRequests.get(2)).containsEntry("refresh_token", "refresh-2");
        assertThat(store.read(issuer.mcp()).orElseThrow()).contains("refresh-3");
    }

    @Test
    void aTokenThatIsAboutToEndIsRefreshedBeforeItIsUsed() throws Exception {
        issuer.tokens = answer -> answer.with("expires_in", 10);
        call(oauth);
        int refused = issuer.queries.size();

        assertThat(call(oauth)).isEqualTo(200);
        assertThat(issuer.tokenRequests).hasSize(2);
        assertThat(issuer.queries).hasSize(refused + 1);
    }

    @Test
    void aTokenThatCannotBeRefreshedJustNowIsUsedAsLongAsItLasts() throws Exception {
        issuer.tokens = answer -> answer.with("expires_in", 10);
        call(oauth);
        issuer.tokens = answer -> JsonObject.of("error", "temporarily_unavailable");

        assertThat(call(oauth)).isEqualTo(200);
    }

    @Test
    @Requirement("AUTH-066")
    void tokensThatAreWorthNothingAnyMoreAreForgotten() throws Exception {
        call(oauth);
        issuer.valid.clear();
        issuer.tokens =
                answer ->
                        issuer.tokenRequests.getLast().containsKey("refresh_token")
                                ? JsonObject.of("error", "invalid_grant")
                                : answer;

        assertThat(call(oauth)).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(2);
        assertThat(store.read(issuer.mcp()).orElseThrow()).doesNotContain("refresh-1");
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
                calls.add(threads.submit(() -> call(oauth)));
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

        assertThat(call(oauth)).isEqualTo(401);
        assertThatThrownBy(() -> call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage("the server refuses a token that was just issued for it");
        assertThat(issuer.authorizations).hasSize(1);
    }

    @Test
    @Requirement({"AUTH-049", "AUTH-051", "AUTH-017"})
    void scopesThatAreMissingAreAskedForWithThoseThatAreThere() throws Exception {
        OAuth modest = oauth.scopes("read");
        call(modest);
        issuer.shortOf = "admin";
        issuer.tokens =
                answer -> {
                    issuer.shortOf = "";
                    return answer;
                };

        assertThat(call(modest)).isEqualTo(200);
        assertThat(issuer.authorizations)
                .extracting(asked -> asked.get("scope"))
                .containsExactly("read", "read admin");
    }

    @Test
    @Requirement({"AUTH-052", "ROOM-088"})
    void scopesThatDoNotHelpAreNotAskedForAgain() throws Exception {
        call(oauth);
        issuer.shortOf = "admin";

        assertThat(call(oauth)).isEqualTo(403);
        assertThat(call(oauth)).isEqualTo(403);
        assertThat(issuer.authorizations).hasSize(2);
    }

    @Test
    @Requirement({"AUTH-052", "ROOM-088"})
    void aServerThatWantsEverMoreScopesIsGivenUp() throws Exception {
        call(oauth);
        issuer.shortOf = "admin-0";
        issuer.tokens =
                answer -> {
                    issuer.shortOf = "admin-" + issuer.tokenRequests.size();
                    return answer;
                };

        assertThat(call(oauth)).isEqualTo(403);
        assertThat(call(oauth)).isEqualTo(403);
        assertThat(issuer.authorizations).hasSize(1 + 3);
    }

    @Test
    void theLastRequestOfASessionStartsNoLogin() throws Exception {
        assertThat(call(oauth, "DELETE")).isEqualTo(401);
        assertThat(visited).isEmpty();
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
    @Requirement({"AUTH-041", "AUTH-012"})
    void theClientOfOneIssuerIsNotShownToAnother() throws Exception {
        call(oauth);
        try (TestIssuer second = new TestIssuer()) {
            issuer.valid.clear();
            issuer.resource =
                    document ->
                            document.with("authorization_servers", JsonArray.of(second.issuer()));
            issuer.tokens = answer -> JsonObject.of("error", "invalid_grant");
            assertThat(call(oauth)).isEqualTo(401); // the server knows none of the second's tokens

            assertThat(second.registrations).hasSize(1);
            assertThat(second.tokenRequests)
                    .hasSize(1)
                    .allMatch(form -> form.get("grant_type").equals("authorization_code"));
        }
    }

    @Test
    @Requirement({"AUTH-050", "AUTH-036"})
    void aMachineShowsItsSecretAndNothingIsOpened() throws Exception {
        OAuth machine = OAuth.clientCredentials("nightly", Secret.from(() -> "s3cret"));

        assertThat(call(machine)).isEqualTo(200);
        assertThat(issuer.tokenRequests.getFirst())
                .containsEntry("grant_type", "client_credentials")
                .containsEntry("resource", issuer.mcp().toString())
                .doesNotContainKey("client_secret");
        assertThat(issuer.authorizations).isEmpty();
    }

    @Test
    void optionsOfALoginAreNotForMachines() {
        OAuth machine = OAuth.clientCredentials("nightly", Secret.from(() -> "s3cret"));

        assertThatThrownBy(() -> machine.redirectPort(7))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this option is for a login with a browser");
    }

    @Test
    @Requirement("AUTH-053")
    void aLoginIsKeptWithoutTheSecretThatTheApplicationNamed() throws Exception {
        call(oauth.client("mine", Secret.from(() -> "s3cret")));

        assertThat(store.read(issuer.mcp()).orElseThrow())
                .contains("access-1")
                .doesNotContain("s3cret");
        assertThat(Login.parse(store.read(issuer.mcp()).orElseThrow(), null).orElseThrow())
                .asString()
                .doesNotContain("access-1", "refresh-1");
    }

    @Test
    void aLoginOutlivesTheProcess() throws Exception {
        call(oauth);

        assertThat(call(OAuth.browser("Desk").tokens(store).browser(this::visit))).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(1);
    }
}
