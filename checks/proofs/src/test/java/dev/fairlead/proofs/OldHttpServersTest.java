package dev.fairlead.proofs;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.client.OAuth;
import dev.fairlead.auth.client.TokenStore;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.client.ClientAuthorization;
import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.http.client.RequestAuthorization;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Servers over HTTP of the time before revision 2026-07-28, as processes: which kind they are is
 * found, soon enough, and not asked again. At full size with {@code -Dfairlead.proofs=full} they
 * are as slow as a server may be.
 */
@Tag("proof")
@Timeout(900)
class OldHttpServersTest {
    /** How long an exchange with a process may take on a busy machine. */
    private static final Duration EXCHANGE = Duration.ofSeconds(60);

    /** The request timeout, far longer than any answer takes. */
    private static final Duration REQUEST = Duration.ofMinutes(10);

    private static ChildProcess start(String arguments) throws IOException {
        return ChildProcess.start(ChildJvm.command(OldHttpServer.class, arguments.split(" ")));
    }

    private static HttpConnector to(ChildProcess server) {
        return Http.to(URI.create(server.url()));
    }

    private static McpClient connect(HttpConnector server) throws InterruptedException {
        return McpClient.named("desk", "1").requestTimeout(REQUEST).connect(server);
    }

    /** Connects, and returns the messages that the server has received since the last such call. */
    private static String seen(HttpConnector server, Revision expected)
            throws InterruptedException {
        try (McpClient client = connect(server)) {
            assertThat(client.revision()).isEqualTo(expected);
            return client.callTool("seen", JsonObject.EMPTY).text();
        }
    }

    private static String json(String... methods) {
        return JsonArray.of((Object[]) methods).toJson();
    }

    private static final String[] SESSION = {
        "initialize", "notifications/initialized", "tools/call"
    };

    private static void assertGreetedAndRemembered(HttpConnector server)
            throws InterruptedException {
        assertThat(seen(server, Revision.V2025_11_25))
                .isEqualTo(json("server/discover", SESSION[0], SESSION[1], SESSION[2]));
        assertThat(seen(server, Revision.V2025_11_25)).isEqualTo(json(SESSION));
    }

    static Stream<String> manners() {
        Stream<Integer> codes =
                Stream.of(-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, 0, 404);
        return Stream.of(
                        Stream.of("html 400", "html 404", "html 405"),
                        Stream.of("error 200 -32601", "error 404 -32601"),
                        codes.map(code -> "error 400 " + code))
                .flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("manners")
    @Requirement("N26-LIFE-015")
    void theyAreGreetedAndRemembered(String arguments) throws Exception {
        try (ChildProcess server = start(arguments)) {
            assertGreetedAndRemembered(to(server));
        }
    }

    static Stream<Integer> delays() {
        return Scale.isFull() ? Stream.of(3, 8, 20) : Stream.of(1);
    }

    @ParameterizedTest
    @MethodSource("delays")
    @Requirement("N26-LIFE-015")
    void aSlowOneIsWaitedForOnce(int seconds) throws Exception {
        try (ChildProcess server = start("late " + seconds * 1_000)) {
            HttpConnector place = to(server);
            long began = System.nanoTime();
            assertGreetedAndRemembered(place);
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(
                            Duration.ofSeconds(seconds),
                            Duration.ofSeconds(seconds).plus(EXCHANGE));
        }
    }

    @Test
    void aSilentOneFailsInTimeAndIsAskedAgain() throws Exception {
        try (ChildProcess server = start("silent")) {
            HttpConnector place = to(server);
            for (int i = 0; i < 2; i++) {
                await("a request that was sent in time")
                        .until(
                                () -> {
                                    assertThatThrownBy(
                                                    () ->
                                                            McpClient.named("desk", "1")
                                                                    .requestTimeout(
                                                                            Duration.ofMillis(500))
                                                                    .connect(place))
                                            .isInstanceOf(RequestTimeoutException.class)
                                            .hasMessageContaining("server/discover");
                                    return seenByHandshakeAlone(to(server))
                                            .startsWith("[\"server/discover\",");
                                });
            }
            assertThat(seenByHandshakeAlone(place)).isEqualTo(json(SESSION));
        }
    }

    /**
     * Connects as {@link #seen}, with a client that does not ask which revisions the server has.
     */
    private static String seenByHandshakeAlone(HttpConnector server) throws InterruptedException {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                        .connect(server)) {
            return client.callTool("seen", JsonObject.EMPTY).text();
        }
    }

    @Test
    void oneThatExitsFailsAtOnce() throws Exception {
        try (ChildProcess server = start("exit")) {
            HttpConnector place = to(server);
            long began = System.nanoTime();
            assertThatThrownBy(() -> connect(place)).isInstanceOf(ConnectionException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(EXCHANGE);
            assertThat(server.exitStatus()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405})
    @Requirement("N26-LIFE-015")
    void oneOfHttpAndSseAloneIsFoundAndRemembered(int status) throws Exception {
        try (ChildProcess server = start("sse " + status)) {
            assertSseIsFoundAndRemembered(to(server));
        }
    }

    private static void assertSseIsFoundAndRemembered(HttpConnector server)
            throws InterruptedException {
        assertThat(seen(server, Revision.V2024_11_05))
                .isEqualTo(
                        json(
                                "POST server/discover",
                                "POST initialize",
                                SESSION[0],
                                SESSION[1],
                                SESSION[2]));
        assertThat(seen(server, Revision.V2024_11_05))
                .isEqualTo(json("POST initialize", SESSION[0], SESSION[1], SESSION[2]));
    }

    // ---- behind authorization

    /** Has no token until the server asks for one. */
    private static final class TokenOnDemand implements ClientAuthorization {
        private final AtomicInteger challenges = new AtomicInteger();

        @Override
        public RequestAuthorization request(URI endpoint, String method, URI url) {
            return new RequestAuthorization() {
                @Override
                public Map<String, String> headers() {
                    return challenges.get() == 0
                            ? Map.of()
                            : Map.of("Authorization", "Bearer " + OldHttpServer.TOKEN);
                }

                @Override
                public boolean again(int status, HttpHeaders headers) {
                    return status == 401 && challenges.incrementAndGet() == 1;
                }
            };
        }
    }

    @ParameterizedTest
    @CsvSource({"html 404, html", "error 400 -32601, error", "sse 405, sse", "new, new"})
    @Requirement({"N26-AUTH-024", "N26-LIFE-015"})
    void whatIsBehind401IsFoundOnceThereIsAToken(String arguments, String kind) throws Exception {
        try (ChildProcess server = start("authorized " + arguments)) {
            HttpConnector place = to(server);
            for (int i = 0; i < 2; i++) { // nothing is remembered of a refusal
                assertThatThrownBy(() -> connect(place))
                        .isInstanceOf(ConnectionException.class)
                        .hasMessageContaining("server/discover")
                        .hasMessageContaining("401");
            }

            TokenOnDemand authorization = new TokenOnDemand();
            assertFoundAndRemembered(place.authorization(authorization), kind);
            assertThat(authorization.challenges).hasValue(1);
        }
    }

    private static void assertFoundAndRemembered(HttpConnector server, String kind)
            throws InterruptedException {
        switch (kind) {
            case "new" -> { // each connection asks for the capabilities
                for (int i = 0; i < 2; i++) {
                    assertThat(seen(server, Revision.V2026_07_28))
                            .isEqualTo(json("server/discover", "tools/call"));
                }
            }
            case "sse" -> assertSseIsFoundAndRemembered(server);
            default -> assertGreetedAndRemembered(server);
        }
    }

    @ParameterizedTest
    @CsvSource({"html 404, html", "error 400 -32601, error", "sse 405, sse", "new, new"})
    @Requirement({"N26-AUTH-024", "N26-LIFE-015"})
    void whatIsBehindALoginIsFoundByTheRequestThatLogsIn(String arguments, String kind)
            throws Exception {
        try (LoginIssuer issuer = new LoginIssuer(OldHttpServer.TOKEN);
                ChildProcess server = start("login " + issuer.metadata() + " " + arguments)) {
            issuer.protects(server.url());
            OAuth login = OAuth.browser("Desk").tokens(TokenStore.memory()).browser(issuer::visit);

            assertFoundAndRemembered(to(server).authorization(login), kind);

            assertThat(issuer.requested)
                    .containsExactly(
                            "/resource",
                            "/.well-known/oauth-authorization-server",
                            "/register",
                            "/authorize",
                            "/token");
        }
    }
}
