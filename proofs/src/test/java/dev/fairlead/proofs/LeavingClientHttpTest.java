package dev.fairlead.proofs;

import static dev.fairlead.proofs.PerRequestFrames.headers;
import static dev.fairlead.proofs.PerRequestFrames.post;
import static dev.fairlead.proofs.PerRequestFrames.request;
import static dev.fairlead.proofs.PerRequestFrames.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients of requests without a session that leave; servers with the default times. */
@Timeout(120)
class LeavingClientHttpTest {
    /** Within which the leaving of a client must interrupt its handler: HTTP/1.1, HTTP/2. */
    private static final Duration BY_WRITING = Duration.ofSeconds(6);

    private static final Duration BY_RESET = Duration.ofSeconds(1);

    record Name(String name) {}

    /** One call of a tool. */
    private static final class Run {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);
    }

    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private final McpServer server =
            McpServer.named("patient", "1.0.0")
                    .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                    .tool("wait", "Waits", Name.class, String.class)
                    .handle(
                            (name, call) -> {
                                call.log(LoggingLevel.INFO, "waiting");
                                Run run = run(name.name());
                                run.begun.countDown();
                                try {
                                    new CountDownLatch(1).await(60, TimeUnit.SECONDS);
                                } catch (InterruptedException e) {
                                    run.interrupted.countDown();
                                }
                                return "waited";
                            })
                    .build();

    private Run run(String name) {
        return runs.computeIfAbsent(name, key -> new Run());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static final Map<String, String> HEADERS = headers("tools/call", "wait");

    private static String call(String run) {
        return call(run, "");
    }

    private static String call(String run, String meta) {
        return request(
                "7",
                "tools/call",
                "\"name\": \"wait\", \"arguments\": {\"name\": \"" + run + "\"}",
                "{}",
                meta);
    }

    private static void assertInterrupted(Run run, Duration limit) throws InterruptedException {
        long left = System.nanoTime();
        boolean noticed = run.interrupted.await(30, TimeUnit.SECONDS);
        assertThat(noticed).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - left)).isLessThanOrEqualTo(limit);
    }

    /** Leaves before anything was answered. */
    private Void leaveAtOnce(URI uri) throws Exception {
        Run run = run("at once");
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            write(socket, call("at once"), HEADERS);
            run.begun.await();
        }
        assertInterrupted(run, BY_WRITING);
        return null;
    }

    /** Leaves when so many comments have come, one after another. */
    private Void leaveAfterComments(URI uri, int comments) throws Exception {
        String name = comments + " comments";
        Run run = run(name);
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            write(socket, call(name), HEADERS);
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            for (int seen = 0; seen < comments; ) {
                seen += in.readLine().startsWith(":") ? 1 : 0;
            }
        }
        assertInterrupted(run, BY_WRITING);
        return null;
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    @Requirement({"N26-HTTP-011", "N26-HTTP-010", "N26-CANC-002"})
    void theHandlerIsInterruptedInTimeWheneverTheClientLeaves(String engine) throws Exception {
        HttpServing serving = server.serve(Http.port(0).engine(engine));
        URI uri = serving.uri();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    List.<Callable<Void>>of(
                            () -> leaveAtOnce(uri),
                            () -> leaveAfterComments(uri, 1),
                            () -> leaveAfterComments(uri, 2),
                            () -> leaveAfterComments(uri, 3));
            for (Future<Void> left : clients.invokeAll(all)) {
                left.get();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    void theFirstByteComesWhenTheAnswerBecomesAStream(String engine) throws Exception {
        HttpServing serving = server.serve(Http.port(0).engine(engine));
        long started = System.nanoTime();
        try (Socket socket = new Socket(serving.uri().getHost(), serving.uri().getPort())) {
            write(socket, call("first byte"), HEADERS);
            InputStream in = socket.getInputStream();
            assertThat(in.read()).isEqualTo('H');
        }
        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    private static HttpClient http2() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    }

    /** Has the client change to HTTP/2, for which it asks by a request without a body. */
    private static void upgrade(HttpClient client, URI uri) throws Exception {
        HttpRequest options =
                HttpRequest.newBuilder(uri)
                        .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                        .build();
        assertThat(client.send(options, HttpResponse.BodyHandlers.ofString()).version())
                .isEqualTo(HttpClient.Version.HTTP_2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Requirement("N26-HTTP-011")
    void aStreamOfHttp2ThatIsResetBeforeTheAnswerInterruptsTheHandler(boolean jsonAlone)
            throws Exception {
        var port = Http.port(0).engine("jetty").http2WithoutTls();
        HttpServing serving = server.serve(jsonAlone ? port.jsonAnswers() : port);
        Run run = run("reset");
        try (HttpClient client = http2()) {
            upgrade(client, serving.uri());
            var answer =
                    client.sendAsync(
                            post(serving.uri(), call("reset"), HEADERS),
                            HttpResponse.BodyHandlers.ofString());
            run.begun.await();

            answer.cancel(true);

            assertInterrupted(run, BY_RESET);
        }
    }

    @Test
    @Requirement("N26-HTTP-011")
    void aStreamOfHttp2ThatIsResetWhileItRunsInterruptsTheHandler() throws Exception {
        HttpServing serving = server.serve(Http.port(0).engine("jetty").http2WithoutTls());
        Run run = run("stream");
        String logging = call("stream", ", \"io.modelcontextprotocol/logLevel\": \"info\"");
        try (HttpClient client = http2()) {
            upgrade(client, serving.uri());
            HttpResponse<InputStream> answer =
                    client.send(
                            post(serving.uri(), logging, HEADERS),
                            HttpResponse.BodyHandlers.ofInputStream());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.body().read()).isNotNegative();
            run.begun.await();

            answer.body().close();

            assertInterrupted(run, BY_RESET);
        }
        assertThat(serving.metrics().streams()).isZero();
    }

    @Test
    @Requirement("N26-HTTP-011")
    void theEndOfAnHttp2ConnectionInterruptsItsHandlers() throws Exception {
        HttpServing serving = server.serve(Http.port(0).engine("jetty").http2WithoutTls());
        Run run = run("connection");
        HttpClient client = http2();
        upgrade(client, serving.uri());
        client.sendAsync(
                post(serving.uri(), call("connection"), HEADERS),
                HttpResponse.BodyHandlers.ofString());
        run.begun.await();

        client.shutdownNow();

        assertInterrupted(run, BY_RESET);
    }
}
