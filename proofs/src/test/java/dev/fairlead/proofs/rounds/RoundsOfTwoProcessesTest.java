package dev.fairlead.proofs.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
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

    /** A file of keys is read again within 10 s of a change. */
    private static final Duration READ_AGAIN = Duration.ofSeconds(11);

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger calls = new AtomicInteger();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private volatile boolean rotated;

    @Test
    @Requirement({"N26-MRTR-012", "N26-LIFE-003"})
    void eachRoundMayComeToAnotherProcessAlsoWhileKeysAreRotated(@TempDir Path folder)
            throws Exception {
        Path file = folder.resolve("keys");
        write(file, key(1));
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
            for (List<String> ring : rotation()) {
                write(file, ring.toArray(String[]::new));
                Thread.sleep(READ_AGAIN); // the condition is that this time has passed
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

    /** Add behind, and move to the front. */
    private static List<List<String>> rotation() {
        return List.of(List.of(key(1), key(2)), List.of(key(2), key(1)));
    }

    private static String key(int number) {
        byte[] key = new byte[32];
        key[0] = (byte) number;
        return Base64.getEncoder().encodeToString(key);
    }

    /** Moves the file into its place, so that no process reads half of it. */
    private static void write(Path file, String... lines) throws Exception {
        Path fresh = Files.write(file.resolveSibling("fresh"), List.of(lines));
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static ChildProcess server(Path keys) throws Exception {
        return ChildProcess.start(ChildJvm.command(RoundsServer.class, keys.toString()));
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
