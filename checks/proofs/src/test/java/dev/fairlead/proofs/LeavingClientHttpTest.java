package dev.fairlead.proofs;

import static dev.fairlead.test.shared.PerRequestFrames.headers;
import static dev.fairlead.test.shared.PerRequestFrames.post;
import static dev.fairlead.test.shared.PerRequestFrames.request;
import static dev.fairlead.test.shared.PerRequestFrames.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.Logged;
import dev.fairlead.test.support.RunningTime;
import dev.fairlead.test.support.WaitingCalls;
import dev.fairlead.test.support.WaitingCalls.WaitingCall;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;

/** Clients of requests without a session that leave; servers with the default times. */
@Tag("proof")
@Timeout(900)
class LeavingClientHttpTest {
    /** Within which the leaving of a client must interrupt its handler: HTTP/1.1, HTTP/2. */
    private static final Duration BY_WRITING = Duration.ofSeconds(6);

    private static final Duration BY_RESET = Duration.ofSeconds(1);

    record Name(String name) {}

    private final WaitingCalls calls = new WaitingCalls();
    private final McpServer server =
            McpServer.named("patient", "1.0.0")
                    .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                    .tool("wait", "Waits", Name.class, String.class)
                    .handle(
                            (name, call) -> {
                                call.log(LoggingLevel.INFO, "waiting");
                                return calls.handle(name.name());
                            })
                    .build();

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

    private static void assertInterrupted(WaitingCall call, Duration limit)
            throws InterruptedException {
        assertThat(call.awaitInterrupted()).isLessThanOrEqualTo(limit);
    }

    /** Leaves before anything was answered. */
    private Void leaveAtOnce(URI uri) throws Exception {
        WaitingCall call = calls.call("at once");
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            write(socket, call("at once"), HEADERS);
            call.awaitBegun();
        }
        assertInterrupted(call, BY_WRITING);
        return null;
    }

    /** Leaves when so many comments have come, one after another. */
    private Void leaveAfterComments(URI uri, int comments) throws Exception {
        String name = comments + " comments";
        WaitingCall call = calls.call(name);
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            write(socket, call(name), HEADERS);
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            for (int seen = 0; seen < comments; ) {
                seen += in.readLine().startsWith(":") ? 1 : 0;
            }
        }
        assertInterrupted(call, BY_WRITING);
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

    @Test
    void theEndOfTheServerInterruptsInTimeWhatRuns() throws Exception {
        HttpServing serving = server.serve(Http.port(0).shutdownGrace(Duration.ofMillis(100)));
        WaitingCall call = calls.call("end");
        try (Socket socket = new Socket(serving.uri().getHost(), serving.uri().getPort())) {
            write(socket, call("end"), HEADERS);
            call.awaitBegun();

            serving.close();

            assertInterrupted(call, BY_WRITING);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    void theFirstByteComesWhenTheAnswerBecomesAStream(String engine) throws Exception {
        HttpServing serving = server.serve(Http.port(0).engine(engine));
        CountDownLatch came = new CountDownLatch(1);
        long started = System.nanoTime();
        try (Socket socket = new Socket(serving.uri().getHost(), serving.uri().getPort())) {
            write(socket, call("first byte"), HEADERS);
            InputStream in = socket.getInputStream();
            FutureTask<Integer> first =
                    new FutureTask<>(
                            () -> {
                                int read = in.read();
                                came.countDown();
                                return read;
                            });
            Thread.ofVirtual().start(first);
            assertThat(RunningTime.until(came, "the first byte"))
                    .isLessThanOrEqualTo(Duration.ofSeconds(6));
            assertThat(Duration.ofNanos(System.nanoTime() - started))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
            assertThat(first.get()).isEqualTo('H');
        }
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
        WaitingCall call = calls.call("reset");
        try (HttpClient client = http2()) {
            upgrade(client, serving.uri());
            var answer =
                    client.sendAsync(
                            post(serving.uri(), call("reset"), HEADERS),
                            HttpResponse.BodyHandlers.ofString());
            call.awaitBegun();

            answer.cancel(true);

            assertInterrupted(call, BY_RESET);
        }
    }

    @Test
    @Requirement("N26-HTTP-011")
    void aStreamOfHttp2ThatIsResetWhileItRunsInterruptsTheHandler() throws Exception {
        HttpServing serving = server.serve(Http.port(0).engine("jetty").http2WithoutTls());
        WaitingCall call = calls.call("stream");
        String logging = call("stream", ", \"io.modelcontextprotocol/logLevel\": \"info\"");
        try (HttpClient client = http2()) {
            upgrade(client, serving.uri());
            HttpResponse<InputStream> answer =
                    client.send(
                            post(serving.uri(), logging, HEADERS),
                            HttpResponse.BodyHandlers.ofInputStream());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.body().read()).isNotNegative();
            call.awaitBegun();

            answer.body().close();

            assertInterrupted(call, BY_RESET);
        }
        assertThat(serving.metrics().streams()).isZero();
    }

    @Test
    void theTraceShowsThatAnExchangeWasClosedByItsClient() throws Exception {
        HttpServing serving = server.serve(Http.port(0).engine("jetty").http2WithoutTls());
        WaitingCall call = calls.call("trace");
        try (Logged logged = new Logged("dev.fairlead.wire", Level.FINER);
                HttpClient client = http2()) {
            upgrade(client, serving.uri());
            var answer =
                    client.sendAsync(
                            post(serving.uri(), call("trace"), HEADERS),
                            HttpResponse.BodyHandlers.ofString());
            call.awaitBegun();

            answer.cancel(true);

            call.awaitInterrupted();
            assertThat(logged.lines())
                    .contains(
                            "FINER closed [http] the exchange of request 7, since its client has"
                                    + " left");
        }
    }

    @Test
    @Requirement("N26-HTTP-011")
    void theEndOfAnHttp2ConnectionInterruptsItsHandlers() throws Exception {
        HttpServing serving = server.serve(Http.port(0).engine("jetty").http2WithoutTls());
        WaitingCall call = calls.call("connection");
        HttpClient client = http2();
        upgrade(client, serving.uri());
        client.sendAsync(
                post(serving.uri(), call("connection"), HEADERS),
                HttpResponse.BodyHandlers.ofString());
        call.awaitBegun();

        client.shutdownNow();

        assertInterrupted(call, BY_RESET);
    }
}
