package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Figures of a session whose client opens no stream for the messages of its server. */
class DroppedTest {
    /** The most messages of a session that wait for a stream. */
    private static final int MOST = 1_000;

    private static final int TOO_MANY = 5;

    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
            "capabilities":{},"clientInfo":{"name":"%s","version":"1"}}}
            """;
    private static final String FLOOD =
            """
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"flood","arguments":{}}}
            """;

    record NoInput() {}

    private final HttpClient http = HttpClient.newHttpClient();
    private final McpServer server =
            McpServer.named("harbour", "1")
                    .tool("flood", "Sends notifications", NoInput.class, String.class)
                    .handle((none, call) -> "refused " + flood(call))
                    .build();
    private final Console console = Console.local();
    private final HttpServing serving = server.serve(Http.port(0).console(console));

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    /** Returns how many notifications were refused. */
    private static int flood(Call call) {
        ClientSession session = call.clientSession().orElseThrow();
        int refused = 0;
        for (int i = 0; i < MOST + TOO_MANY; i++) {
            try {
                session.notify("harbour/tide", JsonObject.of("number", i));
            } catch (ConnectionException e) {
                refused++;
            }
        }
        return refused;
    }

    private HttpResponse<String> post(String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(serving.uri())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> answer =
                http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private String session(String client) throws Exception {
        return post(INITIALIZE.formatted(client))
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
    }

    @Test
    void aSessionHasTheMessagesThatItMissed() throws Exception {
        String flooded = session("absent");
        session("other");
        String answer = post(FLOOD, "Mcp-Session-Id", flooded).body();
        assertThat(answer).contains("refused " + TOO_MANY + "\"");

        try (Browser browser = new Browser(serving.uri().resolve("/console/"))) {
            browser.logIn(console.address(serving).getFragment().substring("token=".length()));
            assertFigures(row(browser, "absent"), MOST, TOO_MANY);
            assertFigures(row(browser, "other"), 0, 0);
        }
    }

    private static JsonObject row(Browser browser, String client) throws Exception {
        try (Browser.Events events = browser.events("view=sessions&q=" + client)) {
            JsonObject rows = events.next("rows").object("rows");
            return rows.object(rows.names().iterator().next());
        }
    }

    private static void assertFigures(JsonObject row, long waiting, long dropped) {
        assertThat(row.integer("waiting")).isEqualTo(waiting);
        assertThat(row.integer("dropped")).isEqualTo(dropped);
    }
}
