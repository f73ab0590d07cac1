package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServerOperator.CallListener;
import dev.fairlead.protocol.ServerOperator.CallState;
import dev.fairlead.protocol.ServerOperator.CallStatus;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.handler.Question;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** Requests of clients as operators see them. */
class ObservedCallsTest {
    record Sure(boolean ok) {}

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);
    private final McpServer server =
            McpServer.named("observed", "1")
                    .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                    .withoutRateLimit()
                    .tool("fine", "Tested", NoInput.class, String.class)
                    .task(TaskSupport.OPTIONAL)
                    .handle((none, call) -> "fine")
                    .tool("fail", "Tested", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                throw new ToolFailedException("no");
                            })
                    .tool("ask", "Tested", NoInput.class, String.class)
                    .handle(
                            (none, call) ->
                                    ""
                                            + call.ask(Question.elicit("Sure?", Sure.class))
                                                    .orElseThrow()
                                                    .ok())
                    .tool("stop", "Tested", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                call.progress(1, 4.0, "one of four");
                                begun.countDown();
                                leave.await();
                                return "not cancelled";
                            })
                    .tool("stubborn", "Tested", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                begun.countDown();
                                Uninterruptibly.await(leave::await);
                                return "late";
                            })
                    .build();
    private final ServerOperator operator = server.host().operator().orElseThrow();
    private final BlockingQueue<CallStatus> ended = new LinkedBlockingQueue<>();
    private final ServerOperator.Observation observation = operator.observeCalls(ended::add);

    @AfterEach
    void close() {
        leave.countDown();
        server.close();
    }

    private CallStatus after(Peer peer, String method, String params) throws Exception {
        assertThat(peer.response(method, params).has("id")).isTrue();
        return ended.take();
    }

    private CallStatus afterTool(Peer peer, String tool) throws Exception {
        return after(peer, "tools/call", "{\"name\": \"%s\", \"arguments\": {}}".formatted(tool));
    }

    @Test
    void aCallHasItsSenderItsTargetAndItsEnd() throws Exception {
        Caller ada = Caller.of("issuer", "ada", null, Set.of());
        try (Peer peer = Peer.raw(server, ada)) {
            peer.initialize("2025-11-25", "{}");
            peer.notify("notifications/initialized", null);
            CallStatus call = afterTool(peer, "fine");
            assertThat(call.method()).isEqualTo("tools/call");
            assertThat(call.target()).isEqualTo("fine");
            assertThat(call.client()).isEqualTo("peer");
            assertThat(call.caller()).isEqualTo("ada@issuer");
            assertThat(call.transport()).isEqualTo("memory");
            assertThat(call.state()).isEqualTo(CallState.COMPLETED);
            assertThat(call.error()).isEmpty();
            assertThat(call.lasted()).isPositive();
            assertThat(call.progress()).isNull();
            assertThat(operator.calls()).isEmpty();
        }
    }

    @Test
    void failuresHaveTheirErrors() throws Exception {
        try (Peer peer = Peer.of(server)) {
            CallStatus failed = afterTool(peer, "fail");
            assertThat(failed.state()).isEqualTo(CallState.FAILED);
            assertThat(failed.error()).isEmpty(); // the payload is not shown
            CallStatus unknown = afterTool(peer, "unknown");
            assertThat(unknown.state()).isEqualTo(CallState.FAILED);
            assertThat(unknown.target()).isEqualTo("unknown");
            assertThat(unknown.error()).startsWith("-32602 ");
            assertThat(unknown.number()).isGreaterThan(failed.number());
        }
    }

    @Test
    void parametersThatAreMalformedHaveNoTarget() throws Exception {
        try (Peer peer = Peer.of(server)) {
            CallStatus call = after(peer, "tools/call", "{\"name\": 5}");
            assertThat(call.state()).isEqualTo(CallState.FAILED);
            assertThat(call.target()).isEmpty();
        }
    }

    @Test
    void longTextsAreCut() throws Exception {
        try (Peer peer = Peer.of(server)) {
            CallStatus call = afterTool(peer, "x".repeat(100_000));
            assertThat(call.target()).hasSize(160);
            assertThat(call.error()).hasSizeLessThanOrEqualTo(300);
        }
    }

    @Test
    void aCallThatBecomesATaskEndsAsOne() throws Exception {
        try (Peer peer = Peer.of(server)) {
            CallStatus call =
                    after(
                            peer,
                            "tools/call",
                            "{\"name\": \"fine\", \"arguments\": {}, \"task\": {}}");
            assertThat(call.state()).isEqualTo(CallState.TASK);
        }
    }

    @Test
    void aRoundThatAsksEndsWithQuestions() throws Exception {
        try (Peer peer = Peer.raw(server)) {
            JsonObject asked = RoundsTest.begin(peer, "ask");
            assertThat(asked.string("resultType")).isEqualTo("input_required");
            assertThat(ended.take().state()).isEqualTo(CallState.ASKED);
        }
    }

    @Test
    void aRunningCallIsListedUntilItEnds() throws Exception {
        try (Peer peer = Peer.of(server)) {
            Pending pending = peer.startTool("stop", "{}");
            begun.await();
            CallStatus running = operator.calls().getFirst();
            assertThat(running.state()).isEqualTo(CallState.RUNNING);
            assertThat(running.target()).isEqualTo("stop");
            assertThat(running.progress()).isNotNull();
            assertThat(running.progress().message()).isEqualTo("one of four");
            leave.countDown();
            assertThat(pending.result().has("content")).isTrue();
            CallStatus call = ended.take();
            assertThat(call.number()).isEqualTo(running.number());
            assertThat(call.began()).isEqualTo(running.began());
            assertThat(call.lasted()).isGreaterThanOrEqualTo(running.lasted());
            assertThat(operator.calls()).isEmpty();
        }
    }

    @Test
    void aCallWhoseHandlerStopsIsCancelled() throws Exception {
        try (Peer peer = Peer.of(server)) {
            Pending pending = peer.startTool("stop", "{}");
            begun.await();
            pending.cancel();
            CallStatus call = ended.take();
            assertThat(call.state()).isEqualTo(CallState.CANCELLED);
            assertThat(call.error()).isEmpty();
        }
    }

    @Test
    void aCallWhoseHandlerIgnoresItsInterruptIsTooLate() throws Exception {
        try (Peer peer = Peer.of(server)) {
            Pending pending = peer.startTool("stubborn", "{}");
            begun.await();
            pending.cancel();
            peer.rest(); // the cancellation has been taken
            assertThat(operator.calls().getFirst().state()).isEqualTo(CallState.CANCELLING);
            leave.countDown();
            assertThat(ended.take().state()).isEqualTo(CallState.TOO_LATE);
        }
    }

    @Test
    void aListenerThatFailsHarmsNoCallAndNoOtherListener() throws Exception {
        CallListener broken =
                call -> {
                    throw new IllegalStateException("broken");
                };
        try (ServerOperator.Observation first = operator.observeCalls(broken);
                ServerOperator.Observation second = operator.observeCalls(ended::add);
                Peer peer = Peer.of(server)) {
            assertThat(first).isNotSameAs(second);
            assertThat(afterTool(peer, "fine")).isEqualTo(ended.take());
        }
    }

    @Test
    void aListenerThatWasRemovedIsNotCalled() throws Exception {
        try (Peer peer = Peer.of(server)) {
            observation.close();
            assertThat(peer.callTool("fine", "{}").has("content")).isTrue();
            assertThat(ended).isEmpty();
        }
    }
}
