package dev.fairlead.proofs.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Two processes share nothing but a file of keys, and each round of a call comes to the other one,
 * as behind a load balancer.
 */
@Timeout(180)
class RoundsOfTwoProcessesTest {
    private static final int CALLS = 1_000;
    private static final int CALLERS = 4;

    /** Much longer than a call takes. */
    private static final Duration TTL = Duration.ofSeconds(10);

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger calls = new AtomicInteger();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private volatile boolean rotated;

    @Test
    @Requirement({"N26-MRTR-012", "N26-LIFE-003"})
    void eachRoundMayComeToAnotherProcessAlsoWhileKeysAreRotated(@TempDir Path folder)
            throws Exception {
        StateKeyFile file = StateKeyFile.in(folder);
        try (ChildProcess one = server(file);
                ChildProcess other = server(file);
                ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<URI> nodes =
                    List.of(
                            URI.create(one.line().orElseThrow()),
                            URI.create(other.line().orElseThrow()));
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                running.add(callers.submit((Callable<?>) () -> callUntilRotated(nodes)));
            }
            file.add();
            file.move();
            if (Scale.isFull()) {
                file.drop(TTL);
            }
            rotated = true;
            for (Future<?> caller : running) {
                caller.get(); // fails with the first call that was refused
            }
        }

        assertThat(calls.get()).isGreaterThanOrEqualTo(CALLS);
        assertThat(keys).hasSize(calls.get());
        assertThat(tokens).hasSize(calls.get());
    }

    private static ChildProcess server(StateKeyFile keys) throws Exception {
        return ChildProcess.start(
                ChildJvm.command(RoundsServer.class, keys.path().toString(), TTL.toString()));
    }

    private Void callUntilRotated(List<URI> nodes) throws Exception {
        while (!rotated || calls.get() < CALLS) {
            int first = calls.getAndIncrement();
            call(List.of(nodes.get(first % 2), nodes.get((first + 1) % 2)));
            if (first > CALLS) {
                Thread.sleep(20); // the pace while keys are rotated
            }
        }
        return null;
    }

    private void call(List<URI> nodes) throws Exception {
        JsonObject asked = send(nodes.get(0), "");
        JsonObject again = send(nodes.get(1), answer(asked, "first", "one"));
        String retry = answer(again, "second", "two");
        String known =
                again.object("inputRequests").object("second").object("params").string("message");
        JsonObject seen = send(nodes.get(0), retry).object("structuredContent");

        assertThat(known).isEqualTo(seen.string("token") + " " + seen.string("key"));
        assertThat(seen.string("first")).isEqualTo("one");
        assertThat(seen.string("second")).isEqualTo("two");
        keys.add(seen.string("key"));
        tokens.add(seen.string("token"));
    }

    private static String answer(JsonObject asked, String key, String text) {
        assertThat(asked.string("resultType")).as(asked.toJson()).isEqualTo("input_required");
        JsonObject response =
                JsonObject.of("action", "accept", "content", JsonObject.of("text", text));
        return ", \"requestState\": "
                + new JsonString(asked.string("requestState")).toJson()
                + ", \"inputResponses\": "
                + JsonObject.of(key, response).toJson();
    }

    private JsonObject send(URI node, String retry) throws Exception {
        String body =
                """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rounds"%s,
                 "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                           "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}}}
                """
                        .formatted(retry);
        HttpRequest request =
                HttpRequest.newBuilder(node)
                        .headers("Content-Type", "application/json")
                        .headers("Accept", "application/json, text/event-stream")
                        .headers("MCP-Protocol-Version", "2026-07-28")
                        .headers("Mcp-Method", "tools/call", "Mcp-Name", "rounds")
                        .timeout(Duration.ofSeconds(60))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        HttpResponse<Stream<String>> response =
                http.send(request, HttpResponse.BodyHandlers.ofLines());
        String answer =
                response.body()
                        .map(line -> line.startsWith("data:") ? line.substring(5) : line)
                        .filter(line -> line.strip().startsWith("{"))
                        .reduce("", (before, line) -> line);
        assertThat(response.statusCode()).as(answer).isEqualTo(200);
        return ((JsonObject) JsonValue.parse(answer.strip())).object("result");
    }
}
