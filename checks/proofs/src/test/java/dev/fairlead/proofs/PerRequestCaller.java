package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A caller of revision 2026-07-28 that declares forms and tasks, and whose members a test writes.
 * Thread-safe.
 */
public final class PerRequestCaller implements AutoCloseable {
    /** The capabilities of the caller. */
    private static final String CAPABILITIES =
            "{\"elicitation\": {}, \"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** A response: its status, and its message. */
    public record Answer(int status, JsonObject message) {
        /** Returns the result; fails if there is none. */
        public JsonObject result() {
            assertThat(status).as(message.toJson()).isEqualTo(200);
            return message.object("result");
        }
    }

    /**
     * Posts a request.
     *
     * @param name in the header {@code Mcp-Name}; empty for none
     * @param members of the parameters, without braces
     * @throws IOException if no whole response came
     */
    public Answer post(URI node, String method, String name, String members)
            throws IOException, InterruptedException {
        HttpResponse<Stream<String>> response =
                http.send(
                        request(node, method, name, members), HttpResponse.BodyHandlers.ofLines());
        try (Stream<String> lines = response.body()) {
            String message =
                    lines.map(line -> line.startsWith("data:") ? line.substring(5) : line)
                            .filter(line -> line.strip().startsWith("{"))
                            .reduce("", (before, line) -> line);
            if (message.isEmpty()) {
                throw new IOException("no message in an answer of " + response.statusCode());
            }
            return new Answer(response.statusCode(), (JsonObject) JsonValue.parse(message.strip()));
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Calls a tool; {@code more} are members beside its name and arguments. */
    public Answer call(URI node, String tool, JsonObject arguments, String more)
            throws IOException, InterruptedException {
        return post(
                node,
                "tools/call",
                tool,
                "\"name\": %s, \"arguments\": %s%s"
                        .formatted(new JsonString(tool).toJson(), arguments.toJson(), more));
    }

    /** Sends {@code tasks/get}. */
    public Answer task(URI node, String id) throws IOException, InterruptedException {
        return post(node, "tasks/get", id, "\"taskId\": \"" + id + "\"");
    }

    /** Opens a stream of {@code subscriptions/listen}; its lines end when it is closed. */
    public HttpResponse<Stream<String>> listen(URI node, String notifications)
            throws IOException, InterruptedException {
        return http.send(
                request(node, "subscriptions/listen", "", "\"notifications\": " + notifications),
                HttpResponse.BodyHandlers.ofLines());
    }

    private static HttpRequest request(URI node, String method, String name, String members) {
        String body =
                """
                {"jsonrpc": "2.0", "id": 1, "method": "%s", "params": {%s,
                 "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                           "io.modelcontextprotocol/clientCapabilities": %s}}}\
                """
                        .formatted(method, members, CAPABILITIES);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(node)
                        .headers("Content-Type", "application/json")
                        .headers("Accept", "application/json, text/event-stream")
                        .headers("MCP-Protocol-Version", "2026-07-28")
                        .headers("Mcp-Method", method)
                        .timeout(PATIENCE)
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!name.isEmpty()) {
            request.header("Mcp-Name", name);
        }
        return request.build();
    }

    /**
     * Returns the members that a retry adds to its call: an answer to the question with this key.
     */
    public static String retry(JsonObject asked, String key, JsonObject content) {
        assertThat(asked.string("resultType")).as(asked.toJson()).isEqualTo("input_required");
        return ", \"requestState\": %s, \"inputResponses\": %s"
                .formatted(
                        new JsonString(asked.string("requestState")).toJson(),
                        JsonObject.of(key, JsonObject.of("action", "accept", "content", content))
                                .toJson());
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
