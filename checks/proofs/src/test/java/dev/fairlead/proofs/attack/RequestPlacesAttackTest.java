package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.Logged;
import dev.fairlead.test.support.RawHttpClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One client that takes all places for running requests, while others use the server. */
@Tag("proof")
@Timeout(900)
class RequestPlacesAttackTest {
    private static final int LIMIT = 1_000;
    private static final String ATTACKER = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";
    private static final String NEWEST = "2025-11-25";

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Socket> held = new ArrayList<>();
    private final McpServer server =
            McpServer.named("attacked", "1")
                    .maxRequests(10_000) // so that the limit of HTTP counts
                    .withoutRateLimit()
                    .tasks(
                            Tasks.inMemory()
                                    .maxRunning(10_000)
                                    .maxPerOwner(10_000)
                                    .operationsPerSecond(10_000))
                    .tool("echo", "Answers at once", NoInput.class, String.class)
                    .handle((none, call) -> "echoed")
                    .tool("sleep", "Waits", NoInput.class, String.class)
                    .task(TaskSupport.OPTIONAL)
                    .handle((none, call) -> sleep())
                    .tool("stubborn", "Waits and ignores interruption", NoInput.class, String.class)
                    .handle((none, call) -> sleepOn())
                    .tool("late", "Ignores its timeout too", NoInput.class, String.class)
                    .timeout(Duration.ofMillis(50))
                    .handle((none, call) -> sleepOn())
                    .build();

    private String sleep() throws InterruptedException {
        running.incrementAndGet();
        try {
            over.await();
            return "slept";
        } finally {
            running.decrementAndGet();
        }
    }

    private String sleepOn() {
        running.incrementAndGet();
        try {
            while (over.getCount() > 0) {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
            }
            return "slept";
        } finally {
            running.decrementAndGet();
        }
    }

    private HttpServing serve(UnaryOperator<HttpListener> options) throws IOException {
        return server.serve(options.apply(Http.port(0).shutdownGrace(Duration.ofMillis(100))));
    }

    @AfterEach
    void end() throws IOException {
        over.countDown();
        disconnect();
        server.close();
    }

    private void disconnect() throws IOException {
        for (Socket socket : held) {
            socket.close();
        }
        held.clear();
    }

    /** Starts calls that do not end, until all places are taken. */
    private void flood(RawHttpClient attacker, int calls) throws Exception {
        for (int i = 1; i <= calls; i++) {
            held.add(attacker.begin(RawHttpClient.call(i, "sleep")));
        }
        await("calls that run").until(() -> running.get(), found -> found >= LIMIT);
    }

    /** Everything that a client needs: a session, a call, ping, the end of its session. */
    private static void assertServed(int port, String from) throws IOException {
        RawHttpClient client = RawHttpClient.open(port, from, NEWEST);
        assertServed(client);
        assertThat(client.delete().status()).isEqualTo(204);
    }

    private static void assertServed(RawHttpClient client) throws IOException {
        assertThat(client.post(RawHttpClient.request(1_000_001, "ping", "{}")).status())
                .isEqualTo(200);
        HttpAnswer answer = client.post(RawHttpClient.call(1_000_002, "echo"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("echoed");
    }

    @Test
    void callsOfOneSessionLeavePlacesForOthers() throws Exception {
        int port = serve(listener -> listener).port();
        RawHttpClient neighbour = RawHttpClient.open(port, ATTACKER, NEWEST);
        RawHttpClient attacker = RawHttpClient.open(port, ATTACKER, NEWEST);

        flood(attacker, LIMIT + 5);

        assertThat(running).hasValue(LIMIT);
        HttpAnswer refused = attacker.post(RawHttpClient.call(2_000, "echo"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body())
                .contains("Request limit reached (1000); raise HttpOptions.maxRequests");
        assertServed(port, OTHER);
        assertServed(neighbour);
        assertServed(port, ATTACKER);
        assertThat(attacker.post(RawHttpClient.request(2_001, "ping", "{}")).status())
                .isEqualTo(200);
        attacker.post(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                        + "\"params\":{\"requestId\":1}}");
        await("calls that run").until(() -> running.get(), found -> found < LIMIT);
        disconnect();
        assertServed(port, OTHER);
        assertServed(neighbour);
        assertServed(port, ATTACKER);
    }

    @Test
    void callsOfManySessionsOfOneAddressLeavePlacesForOtherAddresses() throws Exception {
        int port = serve(listener -> listener).port();
        RawHttpClient neighbour = RawHttpClient.open(port, ATTACKER, NEWEST);
        for (int i = 0; i < 60; i++) {
            RawHttpClient attacker = RawHttpClient.open(port, ATTACKER, NEWEST);
            for (int call = 1; call <= 25; call++) {
                held.add(attacker.begin(RawHttpClient.call(call, "sleep")));
            }
        }
        await("calls that run").until(() -> running.get(), found -> found >= LIMIT);

        assertThat(running.get()).isLessThanOrEqualTo(LIMIT + LIMIT / 8);
        assertServed(port, OTHER);
        assertThat(neighbour.post(RawHttpClient.request(1, "ping", "{}")).status()).isEqualTo(200);
    }

    /** Revision 2025-03-26: each request of a batch counts (D5). */
    @Test
    void batchesStartNoMoreCallsThanTheLimit() throws Exception {
        int port = serve(listener -> listener).port();
        String batch =
                IntStream.rangeClosed(1, 900)
                        .mapToObj(id -> RawHttpClient.call(id, "sleep"))
                        .collect(Collectors.joining(",", "[", "]"));
        int refused = 0;
        for (int i = 0; i < 10; i++) {
            RawHttpClient attacker = RawHttpClient.open(port, ATTACKER, "2025-03-26");
            Socket socket = attacker.begin(batch);
            held.add(socket);
            if (i > 0) {
                assertThat(RawHttpClient.read(socket).status()).isEqualTo(503);
                refused++;
            } else {
                await("calls that run").until(() -> running.get(), found -> found == 900);
            }
        }

        assertThat(refused).isEqualTo(9);
        assertThat(running).hasValue(900);
        assertServed(port, OTHER);
        assertServed(port, ATTACKER);
    }

    @Test
    void requestsThatWaitForResultsTakeNoPlacesOfCalls() throws Exception {
        HttpServing serving = serve(listener -> listener.maxResultWaits(LIMIT));
        int port = serving.port();
        RawHttpClient neighbour = RawHttpClient.open(port, ATTACKER, NEWEST);
        RawHttpClient attacker = RawHttpClient.open(port, ATTACKER, NEWEST);
        HttpAnswer created =
                attacker.post(
                        RawHttpClient.request(
                                1,
                                "tools/call",
                                "{\"name\":\"sleep\",\"arguments\":{},\"task\":{}}"));
        String task = created.body().replaceFirst("(?s).*\"taskId\":\"([^\"]+)\".*", "$1");
        String params = "{\"taskId\":\"" + task + "\"}";
        for (int i = 2; i < LIMIT + 2; i++) {
            held.add(attacker.begin(RawHttpClient.request(i, "tasks/result", params)));
        }
        await("requests that wait")
                .until(() -> serving.metrics().requests(), found -> found == LIMIT);

        HttpAnswer refused = attacker.post(RawHttpClient.request(9_000, "tasks/result", params));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("raise HttpOptions.maxResultWaits");
        assertServed(attacker);
        assertServed(neighbour);
        assertServed(port, OTHER);
        HttpAnswer cancelled = attacker.post(RawHttpClient.request(9_001, "tasks/cancel", params));
        assertThat(cancelled.body()).contains("\"cancelled\"");
        await("requests that wait").until(() -> serving.metrics().requests(), found -> found == 0);
    }

    @Test
    void tasksAreCancelledWhileAllPlacesAreTaken() throws Exception {
        int port = serve(listener -> listener).port();
        RawHttpClient attacker = RawHttpClient.open(port, ATTACKER, NEWEST);
        HttpAnswer created =
                attacker.post(
                        RawHttpClient.request(
                                5_000,
                                "tools/call",
                                "{\"name\":\"sleep\",\"arguments\":{},\"task\":{}}"));
        String task = created.body().replaceFirst("(?s).*\"taskId\":\"([^\"]+)\".*", "$1");
        flood(attacker, LIMIT);

        HttpAnswer cancelled =
                attacker.post(
                        RawHttpClient.request(
                                5_001, "tasks/cancel", "{\"taskId\":\"" + task + "\"}"));

        assertThat(cancelled.body()).contains("\"cancelled\"");
    }

    /** Without an event store a client that has left cannot come back. */
    @Test
    void callsWhoseClientsHaveLeftGiveTheirPlacesBack() throws Exception {
        HttpServing serving =
                serve(
                        listener ->
                                listener.withoutEventStore()
                                        .maxRequests(20)
                                        .streamAfter(Duration.ofMillis(20))
                                        .heartbeat(Duration.ofMillis(50)));
        int port = serving.port();
        RawHttpClient attacker = RawHttpClient.open(port, ATTACKER, NEWEST);
        for (int i = 1; i <= 20; i++) {
            held.add(attacker.begin(RawHttpClient.call(i, "sleep")));
        }
        await("calls that run").until(() -> running.get(), found -> found == 20);
        assertThat(attacker.post(RawHttpClient.call(100, "echo")).status()).isEqualTo(503);

        disconnect();

        await("a free place")
                .until(
                        () -> attacker.post(RawHttpClient.call(101, "echo")).status(),
                        status -> status == 200);
        assertThat(running).as("a closed connection is no cancellation").hasValue(20);
        for (int id = 201; running.get() < 40; id++) { // places come back one by one
            held.add(attacker.begin(RawHttpClient.call(id, "sleep")));
            LockSupport.parkNanos(2_000_000); // a call without a permit is refused
        }
        disconnect();
        await("calls that run")
                .until(() -> running.get(), found -> found == 20); // no more than the limit
        assertServed(port, ATTACKER);
    }

    @Test
    void aCallThatIsCancelledSinceItsClientHasLeftIsLoggedAsAClosedExchange() throws Exception {
        HttpServing serving =
                serve(
                        listener ->
                                listener.withoutEventStore()
                                        .maxRequests(1)
                                        .streamAfter(Duration.ofMillis(20))
                                        .heartbeat(Duration.ofMillis(50)));
        RawHttpClient client = RawHttpClient.open(serving.port(), ATTACKER, NEWEST);
        try (Logged logged = new Logged("dev.fairlead.wire", Level.FINER)) {
            leave(client, 1);
            await("the place that the first call gives back")
                    .until(
                            () -> client.post(RawHttpClient.call(100, "echo")).status(),
                            status -> status == 200);
            leave(client, 2);
            await("calls that run").until(() -> running.get(), found -> found == 1);

            assertThat(logged.lines())
                    .filteredOn(line -> line.startsWith("FINER closed "))
                    .singleElement()
                    .asString()
                    .matches(
                            "FINER closed \\[http [0-9A-Za-z]{10}] the exchange of request 2,"
                                    + " since its client has left");
            assertThat(logged.lines()).noneMatch(line -> line.contains("notifications/cancelled"));
        }
    }

    /** Begins a call, and leaves when it runs. */
    private void leave(RawHttpClient client, int id) throws Exception {
        try (Socket socket = client.begin(RawHttpClient.call(id, "sleep"))) {
            await("calls that run").until(() -> running.get(), found -> found == id);
        }
    }

    /**
     * Checks that a client that deletes sessions and opens new ones has no more running handlers
     * than in one session.
     */
    @Test
    void handlersThatIgnoreTheEndOfTheirSessionKeepTheirPlaces() throws Exception {
        int port = serve(RequestPlacesAttackTest::few).port();
        for (int session = 1; session <= 8; session++) {
            RawHttpClient attacker = RawHttpClient.open(port, ATTACKER, NEWEST);
            beginStubborn(attacker);
            assertThat(attacker.delete().status()).isEqualTo(204);
            await().untilAsserted(
                            () ->
                                    assertThat(interrupted.get() >= running.get())
                                            .as(() -> interrupted + " interrupted")
                                            .isTrue());
        }

        assertThat(running.get()).isBetween(20, 20 + 20 / 4);
        assertServed(port, OTHER);
        over.countDown();
        await("calls that run").until(() -> running.get(), found -> found == 0);
        awaitServed(port);
    }

    /** A handler that is answered for since its time is over counts until it ends. */
    @Test
    void handlersThatIgnoreTheirTimeoutKeepTheirPlaces() throws Exception {
        int port = serve(RequestPlacesAttackTest::few).port();
        RawHttpClient attacker = RawHttpClient.open(port, ATTACKER, NEWEST);
        for (int i = 1; i <= 20; i++) {
            held.add(attacker.begin(RawHttpClient.call(i, "late")));
        }
        for (Socket socket : held) {
            assertThat(RawHttpClient.read(socket).body()).contains("given up");
        }
        assertThat(attacker.delete().status()).isEqualTo(204);
        for (int session = 1; session <= 4; session++) {
            beginStubborn(RawHttpClient.open(port, ATTACKER, NEWEST));
        }

        assertThat(running.get()).isBetween(20, 20 + 20 / 4);
        assertServed(port, OTHER);
        over.countDown();
        awaitServed(port);
    }

    /** A call that runs is not answered by a stream meanwhile. */
    private static HttpListener few(HttpListener listener) {
        return listener.maxRequests(20).streamAfter(Duration.ofMinutes(3));
    }

    /** Begins five calls, and waits until each of them runs or is refused. */
    private void beginStubborn(RawHttpClient client) throws Exception {
        int before = running.get();
        List<Socket> calls = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            calls.add(client.begin(RawHttpClient.call(i, "stubborn")));
        }
        held.addAll(calls);
        await().untilAsserted(
                        () ->
                                assertThat(
                                                running.get()
                                                                - before
                                                                + calls.stream()
                                                                        .filter(this::isAnswered)
                                                                        .count()
                                                        == 5)
                                        .as(() -> running + " run")
                                        .isTrue());
    }

    private boolean isAnswered(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A place becomes free a moment after its handler has ended. */
    private static void awaitServed(int port) throws Exception {
        RawHttpClient client = RawHttpClient.open(port, ATTACKER, NEWEST);
        await("a free place")
                .until(
                        () -> client.post(RawHttpClient.call(1, "echo")).status(),
                        status -> status == 200);
    }
}
