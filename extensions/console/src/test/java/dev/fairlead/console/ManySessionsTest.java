package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** One page that watches 10,000 sessions, of which some call a tool. */
@Tag("proof")
@Timeout(240)
class ManySessionsTest {
    private static final int SESSIONS = 10_000;
    private static final int ROWS = 200;

    /** The most bytes that a page gets a second: two snapshots whose rows have all changed. */
    private static final int BYTES_PER_SECOND = 256 << 10;

    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
            "capabilities":{},"clientInfo":{"name":"a client with a long name","version":"1.0.0"}}}
            """;
    private static final String CALL =
            """
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}
            """;

    record Echo(String text) {}

    private final HttpClient http = HttpClient.newHttpClient();
    private final McpServer server =
            McpServer.named("many", "1")
                    .withoutRateLimit()
                    .maxSessions(SESSIONS)
                    .tool("echo", "Gives back its text", Echo.class, String.class)
                    .handle((echo, call) -> echo.text())
                    .build();
    private final Console console = Console.local();
    private final HttpServing serving =
            server.serve(Http.port(0).maxSessions(SESSIONS).console(console));

    private HttpResponse<String> post(String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(serving.uri())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aPageOfTenThousandSessionsIsBounded() throws Exception {
        List<String> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(post(INITIALIZE).headers().firstValue("Mcp-Session-Id").orElseThrow());
        }
        URI page = console.address(serving);
        try (Browser browser = new Browser(serving.uri().resolve("/console/"))) {
            browser.logIn(page.getFragment().substring("token=".length()));
            try (Browser.Events events = browser.events("view=sessions")) {
                assertIsBounded(events.next("rows"));
                watched(sessions, events);
            }
            try (Browser.Events events = browser.events("view=calls")) {
                assertThat(events.next("total").integer("total")).isBetween(1L, 800L);
            }
        } finally {
            http.shutdownNow();
            server.close();
        }
    }

    private static void assertIsBounded(JsonObject first) {
        assertThat(first.integer("total")).isEqualTo(SESSIONS);
        assertThat(first.array("order").elements()).hasSize(ROWS);
        assertThat(first.object("rows").size()).isEqualTo(ROWS);
    }

    /** Reads ten snapshots while all sessions call in turn. */
    private void watched(List<String> sessions, Browser.Events events) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread calls =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int i = 0; !over.get(); i++) {
                                        call(sessions.get(i % SESSIONS));
                                    }
                                });
        long bytes = 0;
        long begun = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            JsonObject update = events.next();
            bytes += update.toJson().length();
            if (update.get("rows") instanceof JsonObject rows) {
                assertThat(rows.size()).isLessThanOrEqualTo(ROWS);
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        over.set(true);
        calls.join();
        assertThat(bytes / seconds).isLessThan(BYTES_PER_SECOND);
    }

    private void call(String session) {
        try {
            JsonValue answer =
                    JsonValue.parse(
                            post(
                                            CALL,
                                            "Mcp-Session-Id",
                                            session,
                                            "MCP-Protocol-Version",
                                            "2025-11-25")
                                    .body()
                                    .replaceFirst("(?s).*?data: ", ""));
            assertThat(((JsonObject) answer).has("result")).isTrue();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
