package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.Threads;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Many requests that are under way at the same time. */
@Timeout(180)
class ManyAtOnceTest {
    private static final int STATELESS = 500;
    private static final int PIPELINED = 64;

    record Numbered(int number) {}

    /** A server over stdio whose calls all wait for the last of them. */
    static final class Pipelined {
        private Pipelined() {}

        public static void main(String[] arguments) throws InterruptedException {
            CountDownLatch all = new CountDownLatch(PIPELINED);
            try (McpServer server = server(all)) {
                server.serve(Stdio.streams()).await();
            }
        }
    }

    private static McpServer server(CountDownLatch all) {
        return McpServer.named("many", "1")
                .tool("together", "Waits until all are here", Numbered.class, String.class)
                .handle(
                        (input, call) -> {
                            all.countDown();
                            all.await();
                            return "number " + input.number();
                        })
                .build();
    }

    @Test
    @Requirement({"HTTP-047", "ROOM-060"})
    void fiveHundredStatelessClientsThatAllUseIdOneGetTheirOwnAnswers() throws Exception {
        Map<String, Integer> threads = Threads.count();
        CountDownLatch all = new CountDownLatch(STATELESS);
        try (McpServer server = server(all);
                HttpClient http = HttpClient.newHttpClient()) {
            URI uri = server.serve(Http.port(0).stateless()).uri();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < STATELESS; i++) {
                answers.add(
                        http.sendAsync(
                                HttpRequest.newBuilder(uri)
                                        .header("Content-Type", "application/json")
                                        .header("Accept", "application/json, text/event-stream")
                                        .header("MCP-Protocol-Version", "2025-11-25")
                                        .POST(HttpRequest.BodyPublishers.ofString(together(1, i)))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString()));
            }
            for (int i = 0; i < STATELESS; i++) {
                HttpResponse<String> answer = answers.get(i).get();
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).contains("\"id\":1,").contains("\"number " + i + "\"");
            }
            await("no session is left").until(() -> server.sessions() == 0);
        }
        Threads.awaitNoMoreThan(threads);
    }

    private static String together(int id, int number) {
        return ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":"
                        + "{\"name\":\"together\",\"arguments\":{\"number\":%s}}}")
                .formatted(id, number);
    }

    @Test
    @Requirement({"STDIO-001", "STDIO-002"})
    void callsPipelinedOverStdioInOneWriteAreAllAnswered() throws Exception {
        Process child =
                new ProcessBuilder(ChildJvm.command(Pipelined.class))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (OutputStream out = child.getOutputStream();
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(
                                        child.getInputStream(), StandardCharsets.UTF_8))) {
            StringBuilder lines =
                    new StringBuilder(
                            """
                            {"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
                            {"jsonrpc":"2.0","method":"notifications/initialized"}
                            """);
            for (int i = 0; i < PIPELINED; i++) {
                lines.append(together(i, i)).append('\n');
            }
            out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();

            assertThat(answers(in)).hasSize(PIPELINED);
        }
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isZero();
    }

    private static Map<Long, String> answers(BufferedReader in) throws IOException {
        assertThat(in.readLine()).contains("\"id\":\"init\"");
        Map<Long, String> answers = new HashMap<>();
        for (int i = 0; i < PIPELINED; i++) {
            JsonObject answer = (JsonObject) JsonValue.parse(in.readLine());
            long id = answer.integer("id");
            assertThat(answer.toJson()).contains("\"number " + id + "\"");
            assertThat(answers.put(id, "")).isNull();
        }
        return answers;
    }

    @Test
    @Requirement("STDIO-001")
    void callsOfManyThreadsOverOneChildAreAllAnswered() throws Exception {
        Map<String, Integer> threads = Threads.count();
        try (McpClient client =
                        McpClient.connect(
                                Stdio.command(
                                        ChildJvm.command(Pipelined.class).toArray(String[]::new)));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < PIPELINED; i++) {
                JsonObject number = JsonObject.of("number", i);
                answers.add(callers.submit(() -> client.callTool("together", number).text()));
            }
            for (int i = 0; i < PIPELINED; i++) {
                assertThat(answers.get(i).get()).isEqualTo("number " + i);
            }
        }
        Threads.awaitNoMoreThan(threads);
    }
}
