package dev.fairlead.acceptance.attack;

import static dev.fairlead.test.support.ScriptedHttp.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.proxy.AuthorizationProxy;
import dev.fairlead.auth.proxy.Upstream;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Floods of registrations and consents against an authorization proxy, which are open to everybody,
 * to take the registrations and logins of others. Addresses come from a reverse proxy that is
 * trusted; no rate helps.
 */
@Timeout(120)
@Requirement("AUTH-064")
class ProxyFloodAttackTest {
    private static final String REDIRECT = "https://desk.example/back";
    private static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    private static final String FLOODER = "203.0.113.66";
    private static final Pattern HIDDEN =
            Pattern.compile("<input type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\">");

    private final HttpClient http = HttpClient.newHttpClient();
    private HttpServer upstream;
    private McpServer server;
    private HttpServing serving;

    @BeforeEach
    void start() throws IOException {
        upstream = ScriptedHttp.create();
        upstream.createContext(
                "/token",
                exchange ->
                        json(
                                exchange,
                                200,
                                JsonObject.of("access_token", "theirs", "token_type", "Bearer")));
        upstream.createContext("/user", exchange -> json(exchange, 200, JsonObject.of("id", 4711)));
        upstream.start();
        String login = "http://127.0.0.1:" + upstream.getAddress().getPort();
        server = configured(McpServer.named("reports", "1")).build();
        serving =
                server.serve(
                        Http.port(0)
                                .shutdownGrace(Duration.ofMillis(100))
                                .trustProxies("127.0.0.1")
                                .withoutRates()
                                .authorization(
                                        AuthorizationProxy.at("https://reports.example/mcp")
                                                .upstream(
                                                        Upstream.of(
                                                                        URI.create(
                                                                                login
                                                                                        + "/authorize"),
                                                                        URI.create(
                                                                                login + "/token"))
                                                                .client(
                                                                        "reports",
                                                                        Secret.from(() -> "secret"))
                                                                .user(
                                                                        URI.create(login + "/user"),
                                                                        "id"))));
    }

    /** Sets further options of the server. */
    McpServer.Builder configured(McpServer.Builder builder) {
        return builder;
    }

    @AfterEach
    void stop() {
        serving.close();
        server.close();
        upstream.stop(0);
        http.shutdownNow();
    }

    private HttpResponse<String> send(String address, HttpRequest.Builder request, String path)
            throws Exception {
        return http.send(
                request.uri(serving.uri().resolve(path)).header("X-Forwarded-For", address).build(),
                BodyHandlers.ofString());
    }

    /** Registers a client; its id, or the status where it is refused. */
    private String register(String address) throws Exception {
        HttpResponse<String> answer =
                send(
                        address,
                        HttpRequest.newBuilder()
                                .header("Content-Type", "application/json")
                                .POST(
                                        BodyPublishers.ofString(
                                                JsonObject.of(
                                                                "redirect_uris",
                                                                JsonArray.of(REDIRECT))
                                                        .toString())),
                        "/register");
        return answer.statusCode() == 201
                ? ((JsonObject) JsonValue.parse(answer.body())).string("client_id")
                : String.valueOf(answer.statusCode());
    }

    private HttpResponse<String> page(String address, String client) throws Exception {
        return send(
                address,
                HttpRequest.newBuilder(),
                "/authorize?"
                        + form(
                                Map.of(
                                        "response_type", "code",
                                        "client_id", client,
                                        "redirect_uri", REDIRECT,
                                        "code_challenge", CHALLENGE,
                                        "code_challenge_method", "S256")));
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(
                        field ->
                                field.getKey()
                                        + "="
                                        + URLEncoder.encode(
                                                field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    /** A login that went on to the upstream. */
    private record UnderWay(String cookie, String state) {}

    private static String cookie(HttpResponse<String> page) {
        return page.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    }

    /** Allows the access that a page asks for. */
    private HttpResponse<String> consent(String address, HttpResponse<String> page)
            throws Exception {
        StringBuilder answer = new StringBuilder("decision=allow");
        Matcher hidden = HIDDEN.matcher(page.body());
        while (hidden.find()) {
            String value = hidden.group(2).replace("&amp;", "&");
            answer.append('&').append(form(Map.of(hidden.group(1), value)));
        }
        return send(
                address,
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Cookie", cookie(page))
                        .POST(BodyPublishers.ofString(answer.toString())),
                "/consent");
    }

    private UnderWay begin(String address, String client) throws Exception {
        HttpResponse<String> page = page(address, client);
        assertThat(page.statusCode()).isEqualTo(200);
        HttpResponse<String> forwarded = consent(address, page);
        assertThat(forwarded.statusCode()).isEqualTo(303);
        String state =
                forwarded
                        .headers()
                        .firstValue("Location")
                        .orElseThrow()
                        .replaceAll(".*[?&]state=([^&]*).*", "$1");
        return new UnderWay(cookie(page), state);
    }

    private void assertEnds(String address, UnderWay login) throws Exception {
        HttpResponse<String> back =
                send(
                        address,
                        HttpRequest.newBuilder().header("Cookie", login.cookie),
                        "/callback?code=x&state=" + login.state);
        assertThat(back.statusCode()).as(back.body()).isEqualTo(303);
        assertThat(back.headers().firstValue("Location").orElseThrow())
                .startsWith(REDIRECT + "?code=");
    }

    @Test
    void registrationsOfOneAddressTakeNoneFromOthers() throws Exception {
        String before = register("198.51.100.1");
        int taken = 0;
        for (int i = 0; i < 1_050; i++) {
            taken += register(FLOODER).length() == 43 ? 1 : 0;
        }

        assertThat(taken).isEqualTo(100);
        assertThat(register(FLOODER)).isEqualTo("429");
        assertEnds("198.51.100.1", begin("198.51.100.1", before));
        assertEnds("198.51.100.2", begin("198.51.100.2", register("198.51.100.2")));
    }

    @Test
    void registrationsOfManyAddressesTakeNoneFromAnAddressWithFewer() throws Exception {
        String before = register("198.51.100.1");
        int taken = 0;
        for (int i = 0; i < 1_300; i++) {
            taken += register("203.0.113." + i / 100).length() == 43 ? 1 : 0;
        }

        assertThat(taken).isGreaterThanOrEqualTo(999);
        String after = register("198.51.100.2");
        assertThat(after).as("the newest of an address with many makes room").hasSize(43);
        assertThat(page("198.51.100.1", before).statusCode()).isEqualTo(200);
        assertThat(page("198.51.100.2", after).statusCode()).isEqualTo(200);
    }

    @Test
    void addressesOfOneNetworkOfIpv6CountAsOne() throws Exception {
        int taken = 0;
        for (int i = 0; i < 150; i++) {
            taken += register("2001:db8:0:7::" + Integer.toHexString(i + 1)).length() == 43 ? 1 : 0;
        }

        assertThat(taken).isEqualTo(100);
        assertThat(register("2001:db8:0:8::1")).hasSize(43);
    }

    @Test
    void consentsOfOneAddressEndNoLoginThatIsUnderWay() throws Exception {
        String client = register("198.51.100.1");
        UnderWay login = begin("198.51.100.1", client);
        HttpResponse<String> scripted = page(FLOODER, client); // one form serves them all
        int forwarded = 0;
        int refused = 0;
        for (int i = 0; i < 10_050 && refused < 100; i++) {
            if (consent(FLOODER, scripted).statusCode() == 303) {
                forwarded++;
            } else {
                refused++;
            }
        }

        assertThat(forwarded).isEqualTo(100);
        HttpResponse<String> beyond = consent(FLOODER, scripted);
        assertThat(beyond.statusCode()).isEqualTo(429);
        assertThat(beyond.headers().firstValue("Retry-After")).hasValue("60");
        assertThat(beyond.body()).contains("Limit of logins under way reached (100 of an address");
        assertEnds("198.51.100.1", login);
        assertEnds("198.51.100.2", begin("198.51.100.2", client));
    }
}
