package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.servlet.Container.Running;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Duration;

/** Streams of events through a container: how they begin, continue and end. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(120)
class StreamsTest extends TalkingTest {

    @Test
    @Requirement("SSE-022")
    void whatAHandlerSendsArrivesWhileItIsAtWork() throws Exception {
        Running running = serve(ENDPOINT);
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
        Running running = serve(ENDPOINT.heartbeat(Duration.ofMillis(50)));
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
        Running running = serve(ENDPOINT.heartbeat(Duration.ofMillis(50)));
        Wire wire = listen(running, session(running, "/mcp"));
        awaitMetrics(metrics -> metrics.streams() == 1);

        wire.close();

        awaitMetrics(metrics -> metrics.streams() == 0);
    }

    @Test
    void aStreamThatOverflowsWithoutAStoreIsBrokenOff() throws Exception {
        Running running = serve(ENDPOINT.withoutEventStore().streamBuffer(64 << 10));
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
        Running running = serve(ENDPOINT);
        String id = session(running, "/mcp");
        Wire wire = listen(running, id);
        wire.event();

        assertThat(send(running, "DELETE", "/mcp", "", SESSION, id).status()).isEqualTo(204);
        assertThat(wire.event()).isNull();
        assertThat(send(running, "DELETE", "/mcp", "", SESSION, id).status()).isEqualTo(404);
    }

    @Test
    void whatIsUnderWayMayEndWhenTheServletIsDestroyed() throws Exception {
        Running running = serve(ENDPOINT.shutdownGrace(Duration.ofMinutes(2)));
        String id = session(running, "/mcp");
        Wire wire = wire(running).send("POST", "/mcp", call(1, "talk", "{}"), SESSION, id);
        began.await();
        // a platform thread, since Tomcat holds monitors while it waits
        Thread undeploying = Thread.ofPlatform().daemon().start(() -> undeploy(running));
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
