package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;
import static dev.fairlead.test.support.ScriptedHttp.respond;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.ScriptedHttp;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Users who share one client, each with headers of their own. */
@Timeout(240)
class OwnHeadersTest {
    private static final String HEADER = "X-User";
    private static final int USERS = 50;
    private static final int CALLS = 20;

    /** A request over HTTP; the user is null without a header. */
    private record Seen(String http, String method, @Nullable String user) {}

    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final CountDownLatch silent = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private ExecutorService threads;
    private HttpServer server;
    private URI url;

    @BeforeEach
    void serve() throws IOException {
        threads = Executors.newVirtualThreadPerTaskExecutor();
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(threads);
        server.createContext("/mcp", this::answer);
        server.start();
        url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    @AfterEach
    void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = ScriptedHttp.body(exchange);
        String user = exchange.getRequestHeaders().getFirst(HEADER);
        String method = body.replaceFirst("(?s).*\"method\":\"([^\"]*)\".*", "$1");
        seen.add(new Seen(exchange.getRequestMethod(), method, user));
        try (exchange) {
            if (exchange.getRequestMethod().equals("GET")) {
                resumed(exchange, user);
            } else if (!body.contains("\"id\"")) {
                respond(exchange, 202);
            } else {
                String id = body.replaceFirst("(?s).*\"id\":(\\d+).*", "$1");
                take(exchange, body, id, user);
            }
        }
    }

    private void take(HttpExchange exchange, String body, String id, @Nullable String user)
            throws IOException {
        if (body.contains("\"initialize\"")) {
            respond(
                    exchange,
                    200,
                    "application/json",
                    response(
                            id,
                            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                    + "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}"));
        } else if (body.contains("\"name\":\"broken\"")) {
            respond(exchange, 200, "text/event-stream", "id: of-" + id + "\nretry: 1\ndata:\n\n");
        } else if (body.contains("\"name\":\"silent\"")) {
            silent.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else {
            respond(exchange, 200, "application/json", response(id, text(user)));
        }
    }

    private static void resumed(HttpExchange exchange, @Nullable String user) throws IOException {
        String event = exchange.getRequestHeaders().getFirst("Last-Event-ID");
        if (event == null) {
            respond(exchange, 405);
        } else {
            String message = response(event.substring("of-".length()), text(user));
            respond(exchange, 200, "text/event-stream", "data: " + message + "\n\n");
        }
    }

    private static String text(@Nullable String user) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + user + "\"}]}";
    }

    private static String response(String id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    /** Returns a client of sessions. */
    private static McpClient.Builder client() {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE);
    }

    @Test
    void reachTheServerWithTheRequestsOfTheirUserAndNoOthers() throws Exception {
        try (McpClient client = client().connect(Http.to(url));
                ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < USERS; i++) {
                String user = "user-" + i;
                ClientRequests own = client.withHeaders(Map.of(HEADER, user));
                String tool = i % 5 == 0 ? "broken" : "plain"; // the stream of some is resumed
                done.add(
                        users.submit(
                                () -> {
                                    for (int call = 0; call < CALLS; call++) {
                                        assertThat(own.callTool(tool, JsonObject.EMPTY).text())
                                                .isEqualTo(user);
                                        assertThat(
                                                        client.callTool("plain", JsonObject.EMPTY)
                                                                .text())
                                                .isEqualTo("null");
                                    }
                                    return null;
                                }));
            }
            for (Future<?> user : done) {
                user.get();
            }
            await("the stream that listens").until(() -> !listening().isEmpty());
        }
        assertThat(seen)
                .filteredOn(one -> !one.method().equals("tools/call") && one.http().equals("POST"))
                .extracting(Seen::user)
                .containsOnlyNulls();
        assertThat(listening()).hasSize(1);
    }

    private List<Seen> listening() {
        return seen.stream().filter(one -> one.http().equals("GET") && one.user() == null).toList();
    }

    @Test
    void goOutWithTheCancellationOfTheirRequest() throws Exception {
        ManualTimers timers = new ManualTimers();
        try (McpClient client =
                        Internals.withTimers(client(), timers::share).connect(Http.to(url));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            ClientRequests own =
                    client.withHeaders(Map.of(HEADER, "ann")).withTimeout(Duration.ofMinutes(1));
            Future<?> call = callers.submit(() -> own.callTool("silent", JsonObject.EMPTY));
            silent.await();
            timers.advance(Duration.ofMinutes(1));

            assertThatThrownBy(call::get).hasCauseInstanceOf(RequestTimeoutException.class);
            await("the request is not cancelled")
                    .until(() -> seen.contains(new Seen("POST", "notifications/cancelled", "ann")));
        }
    }

    @Test
    void addUpAndReplaceThoseOfTheConnector() throws Exception {
        try (McpClient client = client().connect(Http.to(url).header(HEADER, "desk"))) {
            assertThat(client.callTool("plain", JsonObject.EMPTY).text()).isEqualTo("desk");
            ClientRequests ann = client.withHeaders(Map.of("x-user", "ann"));
            assertThat(ann.callTool("plain", JsonObject.EMPTY).text()).isEqualTo("ann");
            assertThat(
                            ann.withHeaders(Map.of("X-Other", "1"))
                                    .callTool("plain", JsonObject.EMPTY)
                                    .text())
                    .isEqualTo("ann");
            ClientRequests bob = ann.withHeaders(Map.of("X-USER", "bob"));
            assertThat(bob.callTool("plain", JsonObject.EMPTY).text()).isEqualTo("bob");
            assertThat(client.callTool("plain", JsonObject.EMPTY).text()).isEqualTo("desk");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MCP-Session-Id",
                "mcp-protocol-version",
                "Accept",
                "content-type",
                "Last-Event-ID",
                "Host",
                "Content-Length",
                "Connection",
                "Transfer-Encoding"
            })
    void ofTheProtocolAreRefused(String name) throws Exception {
        try (McpClient client = client().connect(Http.to(url))) {
            ClientRequests own = client.withHeaders(Map.of(name, "1"));
            assertThatThrownBy(() -> own.callTool("plain", JsonObject.EMPTY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The header " + name + " is set by the protocol");
            assertThat(seen).noneMatch(one -> one.method().equals("tools/call"));
        }
    }

    @Test
    void thatCannotBeHeadersAreRefused() throws Exception {
        try (McpClient client = client().connect(Http.to(url))) {
            for (String value : List.of("a\r\nX-Admin: 1", "a\nb", "\u0000", "a\u007f", "\u20ac")) {
                assertThatThrownBy(() -> client.withHeaders(Map.of(HEADER, value)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(
                                "The value of the header X-User has a character that no header may"
                                        + " have");
            }
            for (String name : List.of("", "X User", "X:User", "X\r\nY", "\u00e9")) {
                assertThatThrownBy(() -> client.withHeaders(Map.of(name, "1")))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("A header cannot have this name: \"")
                        .hasMessageNotContaining("\n");
            }
            assertThatThrownBy(() -> client.withHeaders(Map.of("X-User", "1", "x-user", "2")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is there twice");
        }
    }

    @Test
    void areRefusedWhereThereAreNone() throws Exception {
        try (McpServer here = McpServer.named("here", "1").build();
                McpClient client = client().connect(here.inProcess())) {
            ClientRequests own = client.withHeaders(Map.of(HEADER, "ann"));
            assertThatThrownBy(own::ping)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has no headers, but a request has the headers [X-User]");
            client.ping();
        }
    }
}
