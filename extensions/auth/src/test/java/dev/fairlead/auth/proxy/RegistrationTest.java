package dev.fairlead.auth.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.http.HttpResponse;

/** The metadata of the proxy, and the registration of clients. */
@Timeout(90)
class RegistrationTest {
    private final ProxiedServer server = new ProxiedServer();

    private static final JsonObject FLOOD =
            JsonObject.of("redirect_uris", JsonArray.of(ProxiedServer.REDIRECT));

    RegistrationTest() throws IOException {}

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    @Requirement({"AUTH-009", "AUTH-056", "AUTH-060"})
    void theMetadataSaysWhereAllIs() throws Exception {
        HttpResponse<String> answer = server.get("/.well-known/oauth-authorization-server");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).hasValue("*");
        assertThat(answer.body())
                .isEqualTo(
                        """
                        {"issuer":"https://reports.example",\
                        "authorization_endpoint":"https://reports.example/authorize",\
                        "token_endpoint":"https://reports.example/token",\
                        "registration_endpoint":"https://reports.example/register",\
                        "revocation_endpoint":"https://reports.example/revoke",\
                        "response_types_supported":["code"],"response_modes_supported":["query"],\
                        "grant_types_supported":["authorization_code","refresh_token"],\
                        "token_endpoint_auth_methods_supported":["none"],\
                        "revocation_endpoint_auth_methods_supported":["none"],\
                        "code_challenge_methods_supported":["S256"],\
                        "authorization_response_iss_parameter_supported":true,\
                        "scopes_supported":["reports:read","reports:purge"]}\
                        """);
    }

    @Test
    @Requirement({"AUTH-011", "AUTH-015"})
    void theResourceNamesTheProxyAsItsIssuer() throws Exception {
        HttpResponse<String> metadata = server.get("/.well-known/oauth-protected-resource/mcp");
        HttpResponse<String> refused = server.mcp("nothing");

        assertThat(metadata.body())
                .contains("\"authorization_servers\":[\"https://reports.example\"]")
                .contains("\"scopes_supported\":[\"reports:read\"]");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
                .contains("scope=\"reports:read\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://reports.example/mcp", "ftp://localhost/mcp"})
    @Requirement("AUTH-056")
    void aProxyIsAtAnHttpsUrlOrOnTheOwnMachine(String resource) {
        assertThatThrownBy(() -> AuthorizationProxy.at(resource))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Requirement("AUTH-006")
    void aClientRegistersAndLearnsWhatHolds() throws Exception {
        HttpResponse<String> answer =
                server.register(
                        JsonObject.of(
                                "client_name", "Desk",
                                "redirect_uris", JsonArray.of(ProxiedServer.REDIRECT),
                                "token_endpoint_auth_method", "client_secret_basic"));

        JsonObject registered = ProxiedServer.json(answer);
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(registered.string("client_id")).hasSize(43);
        assertThat(registered.string("client_name")).isEqualTo("Desk");
        assertThat(registered.string("token_endpoint_auth_method")).isEqualTo("none");
        assertThat(registered.has("client_secret")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://desk.example/back",
                "https://desk.example/back#fragment",
                "https://user@desk.example/back",
                "javascript:alert(1)",
                "desk.app:/back",
                "http://localhost.evil.example/back",
                "/back",
                "https://desk.example/b\u00e4ck",
                "https://"
            })
    @Requirement({"AUTH-057", "AUTH-062", "SEC-013"})
    void noOtherRedirectUriIsRegistered(String uri) throws Exception {
        HttpResponse<String> answer =
                server.register(
                        JsonObject.of("redirect_uris", JsonArray.of(ProxiedServer.REDIRECT, uri)));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(ProxiedServer.json(answer).string("error")).isEqualTo("invalid_redirect_uri");
    }

    @Test
    void whatIsNoRegistrationIsRefused() throws Exception {
        String tooMany = "\"https://desk.example\",".repeat(11).replaceAll(",$", "");
        String longName = "x".repeat(101);

        assertThat(error("[]")).isEqualTo("400 invalid_client_metadata");
        assertThat(error("{")).isEqualTo("400 invalid_client_metadata");
        assertThat(error("{}")).isEqualTo("400 invalid_redirect_uri");
        assertThat(error("{\"redirect_uris\":[]}")).isEqualTo("400 invalid_redirect_uri");
        assertThat(error("{\"redirect_uris\":[1]}")).isEqualTo("400 invalid_redirect_uri");
        assertThat(error("{\"redirect_uris\":[" + tooMany + "]}"))
                .isEqualTo("400 invalid_redirect_uri");
        String much = ("\"https://desk.example/" + "x".repeat(1_500) + "\",").repeat(3);
        assertThat(error("{\"redirect_uris\":[" + much.replaceAll(",$", "") + "]}"))
                .isEqualTo("400 invalid_redirect_uri");
        assertThat(error("{\"client_name\":\"" + longName + "\"}"))
                .isEqualTo("400 invalid_client_metadata");
    }

    private String error(String body) throws Exception {
        HttpResponse<String> answer = server.send("POST", "/register", "application/json", body);
        return answer.statusCode() + " " + ProxiedServer.json(answer).string("error");
    }

    @Test
    void anOversizedRegistrationIsRefused() throws Exception {
        HttpResponse<String> answer =
                server.send("POST", "/register", "application/json", " ".repeat(20_000));

        assertThat(answer.statusCode()).isEqualTo(413);
    }

    @Test
    void aRegistrationIsJson() throws Exception {
        HttpResponse<String> answer = server.send("POST", "/register", "text/plain", "{}");

        assertThat(answer.statusCode()).isEqualTo(415);
    }

    @Test
    void pagesOfAnyOriginMayRegisterButNotReadThePagesForPeople() throws Exception {
        HttpResponse<String> preflight = server.send("OPTIONS", "/register", "text/plain", "");
        HttpResponse<String> token = server.send("OPTIONS", "/token", "text/plain", "");
        HttpResponse<String> authorize = server.send("OPTIONS", "/authorize", "text/plain", "");
        HttpResponse<String> consent = server.send("OPTIONS", "/consent", "text/plain", "");

        String allowed = "Access-Control-Allow-Origin";
        assertThat(preflight.headers().firstValue(allowed)).hasValue("*");
        assertThat(token.headers().firstValue(allowed)).hasValue("*");
        assertThat(authorize.statusCode()).isEqualTo(405);
        assertThat(authorize.headers().firstValue(allowed)).isEmpty();
        assertThat(consent.statusCode()).isEqualTo(405);
        assertThat(consent.headers().firstValue(allowed)).isEmpty();
    }

    @Test
    void aFloodOfRegistrationsDoesNotDisplaceClientsInUse() throws Exception {
        String used = server.client("Desk");
        String unused = server.client("Idle");
        server.tokens(used);
        int taken = 0;
        for (int i = 0; i < 1_100; i++) {
            taken += server.register(FLOOD).statusCode() == 201 ? 1 : 0;
        }
        HttpResponse<String> refused = server.register(FLOOD);

        assertThat(taken).isEqualTo(999);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("60");
        assertThat(refused.body())
                .contains(
                        "Registration limit reached (100 of an address, 1000 in all, that no person"
                                + " has logged in with)",
                        "AuthorizationProxy.registrationLimit");
        assertThat(server.browser.open(ProxiedServer.authorize(unused)).statusCode())
                .isEqualTo(200);
        assertThat(
                        server.login(
                                        server.browser,
                                        ProxiedServer.authorize(
                                                used, "scope", "reports:read reports:purge"))
                                .get("code"))
                .isNotEmpty();
    }
}
