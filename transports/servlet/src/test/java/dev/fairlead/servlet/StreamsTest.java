package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpEndpoint;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Streams of events through a container: their pace, their end and clients that do not read. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(60)
class StreamsTest extends ServletTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private McpServlet servlet;

    private McpServer talkative() {
        return server().tool("talk", "Says something and waits", JsonObject.class, String.class)
                .handle(
                        (arguments, call) -> {
                            call.log(LoggingLevel.WARNING, "before");
                            began.countDown();
                            mayEnd.await(30, TimeUnit.SECONDS);
                            call.log(LoggingLevel.WARNING, "after");
                            return "end";
                        })
                .tool("flood", "Says very much", JsonObject.class, String.class)
                .handle(
                        (arguments, call) -> {
                            for (int i = 0; i < 200; i++) {
                                call.log(LoggingLevel.WARNING, "x".repeat(64 << 10));
                            }
                            return "end";
                        })
                .build();
    }

    private Running serve(HttpEndpoint endpoint, Duration writeLimit) throws Exception {
        servlet = new McpServlet(closedLater(talkative()), endpoint);
        return start(Application.of("", Map.of("/mcp", servlet)).writeLimit(writeLimit));
    }

    private void awaitMetrics(Predicate<HttpMetrics> condition) throws InterruptedException {
        while (!condition.test(servlet.metrics().orElseThrow())) {
            TimeUnit.MILLISECONDS.sleep(10); // the time limit of the test ends it
        }
    }

    /**
     * What the first attempt gives that is in time: a container that is impatient may close the
     * connection of a client on a slow machine before it has said anything.
     */
    private static <T> T inTime(Callable<T> attempt) throws Exception {
        while (true) {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            try {
                T made = attempt.call();
                if (made != null) {
                    return made;
                }
            } catch (IOException e) {
                // too late
            }
        }
    }

    /** The connection of a call that was taken. */
    private Wire taken(Running running, String id) throws Exception {
        return inTime(
                () -> {
                    long before = servlet.metrics().orElseThrow().requestsTaken();
                    Wire wire = wire(running);
                    wire.send("POST", "/mcp", call(1, "talk", "{}"), SESSION, id);
                    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
                    while (servlet.metrics().orElseThrow().requestsTaken() == before) {
                        if (System.nanoTime() > end) {
                            return null;
                        }
                        TimeUnit.MILLISECONDS.sleep(10);
                    }
                    return wire;
                });
    }

    private Wire listen(Running running, String id) throws IOException {
        Wire wire = wire(running).send("GET", "/mcp", "", SESSION, id);
        assertThat(wire.head().status()).isEqualTo(200);
        return wire;
    }

    @Test
    @Requirement("SSE-022")
    void whatAHandlerSendsArrivesWhileItIsAtWork() throws Exception {
        Running running = serve(ENDPOINT, LONG);
        String id = session(running, "/mcp");
        Wire wire = wire(running).send("POST", "/mcp", call(1, "talk", "{}"), SESSION, id);
        assertThat(wire.head().header("Content-Type")).isEqualTo("text/event-stream");

        wire.event(); // the one that primes
        assertThat(wire.event().data()).contains("before");
        mayEnd.countDown();
        assertThat(wire.event().data()).contains("after");
        assertThat(wire.event().data()).contains("\"result\"");
        assertThat(wire.event()).isNull();
    }

    @Test
    @Requirement("SSE-007")
    void aResumedStreamReplaysMissedEvents() throws Exception {
        Running running = serve(ENDPOINT.heartbeat(Duration.ofMillis(50)), LONG);
        String id = session(running, "/mcp");
        Wire wire = wire(running).send("POST", "/mcp", call(1, "talk", "{}"), SESSION, id);
        wire.head();
        String first = wire.event().id();
        began.await();
        wire.close();
        mayEnd.countDown();

        Wire back = wire(running).send("GET", "/mcp", "", SESSION, id, "Last-Event-ID", first);
        back.head();
        assertThat(back.event().data()).contains("before");
        assertThat(back.event().data()).contains("after");
        assertThat(back.event().data()).contains("\"result\"");
        assertThat(back.event()).isNull();
    }

    @Test
    void aClientThatIsGoneIsNoticed() throws Exception {
        Running running = serve(ENDPOINT.heartbeat(Duration.ofMillis(50)), LONG);
        Wire wire = listen(running, session(running, "/mcp"));
        awaitMetrics(metrics -> metrics.streams() == 1);

        wire.close();

        awaitMetrics(metrics -> metrics.streams() == 0);
    }

    @Test
    void silenceMayLastLongerThanTheLimitsOfTheContainer() throws Exception {
        Running running =
                serve(ENDPOINT.jsonAnswers().heartbeat(SHORT.multipliedBy(5).dividedBy(2)), SHORT);
        String id = inTime(() -> session(running, "/mcp"));
        Wire answer = taken(running, id);
        Wire stream = inTime(() -> listen(running, id));
        stream.event();

        assertThat(stream.bodyLine()).startsWith(":");
        mayEnd.countDown();
        assertThat(answer.answer().body()).contains("\"result\"");
    }

    @Test
    @Requirement("SSE-022")
    void aStalledReaderBlocksNoOtherRequestAndLosesItsConnection() throws Exception {
        Running running = serve(ENDPOINT, SHORT.multipliedBy(2));
        for (int i = 0; i < 5; i++) {
            String body = call(i, "flood", "{}");
            String id = inTime(() -> session(running, "/mcp"));
            inTime(
                    () -> {
                        Wire wire = closedLater(new Wire(running.port(), 4096));
                        return wire.send("POST", "/mcp", body, SESSION, id).head();
                    });
        }

        String other = inTime(() -> session(running, "/mcp"));
        Answer answer = inTime(() -> post(running, "/mcp", call(1, "echo", "{}"), SESSION, other));
        assertThat(answer.status()).isEqualTo(200);
        awaitMetrics(metrics -> metrics.streams() == 0);
    }

    @Test
    void aStreamThatOverflowsWithoutAStoreIsBrokenOff() throws Exception {
        Running running = serve(ENDPOINT.withoutEventStore().streamBuffer(64 << 10), LONG);
        String id = session(running, "/mcp");
        Wire wire = closedLater(new Wire(running.port(), 4096));
        wire.send("POST", "/mcp", call(1, "flood", "{}"), SESSION, id);

        awaitMetrics(
                metrics ->
                        metrics.requestsTaken() == 2
                                && metrics.streams() == 0
                                && metrics.requests() == 0);
        wire.head();
        assertThatThrownBy(wire::rest).isInstanceOf(IOException.class);
    }

    @Test
    void anEndedSessionEndsItsStreams() throws Exception {
        Running running = serve(ENDPOINT, LONG);
        String id = session(running, "/mcp");
        Wire wire = listen(running, id);
        wire.event();

        assertThat(send(running, "DELETE", "/mcp", "", SESSION, id).status()).isEqualTo(204);
        assertThat(wire.event()).isNull();
        assertThat(send(running, "DELETE", "/mcp", "", SESSION, id).status()).isEqualTo(404);
    }

    @Test
    void whatIsUnderWayMayEndWhenTheServletIsDestroyed() throws Exception {
        Running running = serve(ENDPOINT.shutdownGrace(Duration.ofSeconds(20)), LONG);
        String id = session(running, "/mcp");
        Wire wire = wire(running).send("POST", "/mcp", call(1, "talk", "{}"), SESSION, id);
        began.await();
        Thread undeploying = Thread.ofVirtual().start(() -> undeploy(running));
        awaitMetrics(metrics -> metrics.draining() || running.isWaitingForRequests());
        mayEnd.countDown();

        wire.head();
        assertThat(wire.rest()).contains("after", "\"result\"");
        undeploying.join();
        assertThat(servlet.metrics().orElseThrow().sessions()).isZero();
    }

    private static void undeploy(Running running) {
        try {
            running.undeploy();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
