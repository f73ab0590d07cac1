package dev.fairlead.protocol.pipe;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.RequestOrigin;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.RunningRequest;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.versioning.RequestMeta;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

@Timeout(300)
class PipeTest {
    private final EchoHost host = new EchoHost();
    private final QueueTransport transport = new QueueTransport();
    private PipeSettings settings = PipeSettings.named("test").withSendTimeout(Duration.ofDays(1));

    private Serving serve() throws Exception {
        return new PipeEndpoint(transport, settings).serve(host);
    }

    private Link connect() throws Exception {
        return new PipeRemote(() -> transport, settings).connect(host);
    }

    private static String echo(String id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"echo\",\"params\":{}}";
    }

    private static String request(String id, String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}";
    }

    private static String result(String id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
    }

    private static JsonRpcNotification note(int number) {
        return new JsonRpcNotification("note/" + number, null);
    }

    @Test
    void aRequestIsAnsweredOnTheSamePipe() throws Exception {
        try (Serving serving = serve()) {
            transport.give(echo("1"));
            assertThat(transport.sent()).isEqualTo(result("1"));
        }
    }

    @Test
    @Requirement("STDIO-010")
    void messagesOfEachThreadKeepTheirOrder() throws Exception {
        int threads = 8;
        int each = 500;
        settings = settings.withQueuedMessages(10);
        try (Serving serving = serve()) {
            List<Thread> senders = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int first = t * each;
                senders.add(
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            for (int i = 0; i < each; i++) {
                                                host.context.send(note(first + i));
                                            }
                                        }));
            }
            int[] next = new int[threads];
            for (int i = 0; i < threads * each; i++) {
                String sent = transport.sent();
                int number = Integer.parseInt(sent.replaceAll(".*note/|\".*", ""));
                assertThat(number % each).isEqualTo(next[number / each]++);
            }
            for (Thread sender : senders) {
                sender.join();
            }
        }
    }

    /** A moment without memory. */
    @Nested
    class WithoutMemory {
        private static final String EXHAUSTED =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":"
                        + "\"The server has no memory left\",\"data\":{\"retryable\":true}}}";

        @Test
        void aMessageThatCannotBeReadEndsNoConnection() throws Exception {
            transport.unread.set(1);
            try (Serving serving = serve()) {
                transport.give(echo("1"), echo("2"));
                assertThat(transport.sent()).isEqualTo(result("2"));
            }
        }

        @Test
        void aResponseThatCannotBeWrittenIsAnError() throws Exception {
            transport.unwritten.set(1);
            try (Serving serving = serve()) {
                transport.give(echo("1"));
                assertThat(transport.sent()).isEqualTo(EXHAUSTED);
                transport.give(echo("2"));
                assertThat(transport.sent()).isEqualTo(result("2"));
            }
        }

        @Test
        void aRequestThatCannotBeHandledIsAnError() throws Exception {
            try (Serving serving = serve()) {
                transport.give(request("1", "exhaust"));
                assertThat(transport.sent()).isEqualTo(EXHAUSTED);
                transport.give(echo("2"));
                assertThat(transport.sent()).isEqualTo(result("2"));
            }
        }

        @Test
        void aRequestWhoseResponseCannotBeHandledFails() throws Exception {
            host.unhandled.set(true);
            try (Link link = connect()) {
                transport.give(result("7"), echo("8"));
                await().until(() -> host.failed.containsKey(RequestId.of(7)));
                assertThat(transport.sent()).isEqualTo(result("8"));
            }
        }

        @Test
        void aBatchOfWhichOneRequestCannotBeHandledIsAnswered() throws Exception {
            host.revision = Revision.V2025_03_26;
            try (Serving serving = serve()) {
                transport.give("[" + request("1", "exhaust") + "," + echo("2") + "]");
                assertThat(transport.sent()).isEqualTo("[" + EXHAUSTED + "," + result("2") + "]");
            }
        }

        @Test
        void aRequestThatCannotBeWrittenFails() throws Exception {
            transport.unwritten.set(1);
            try (Link link = connect()) {
                host.context.send(new JsonRpcRequest(RequestId.of(7), "m", null));
                await().until(() -> host.failed.containsKey(RequestId.of(7)));
                host.context.send(note(8));
                assertThat(transport.sent()).contains("note/8");
            }
        }
    }

    /** A transport that keeps messages until it is flushed. */
    private static final class Buffered implements BufferedTransport {
        private final QueueTransport queue;
        private volatile Throwable flush; // thrown by the next one

        Buffered(QueueTransport queue) {
            this.queue = queue;
        }

        @Override
        public JsonRpcMessage receive() throws IOException {
            return queue.receive();
        }

        @Override
        public void send(JsonRpcMessage message) throws IOException {
            queue.send(message);
        }

        @Override
        public void flush() throws IOException {
            Throwable failure = flush;
            flush = null;
            switch (failure) {
                case null -> {}
                case Error e -> throw e;
                case RuntimeException e -> throw e;
                default -> throw new IOException(failure);
            }
        }

        @Override
        public void close() {
            queue.close();
        }
    }

    /** A part of a message may be written, which no later one can follow. */
    @Nested
    class Flushes {
        private void endsTheConnection(Throwable failure) throws Exception {
            Buffered buffered = new Buffered(transport);
            buffered.flush = failure;
            try (Link link = new PipeRemote(() -> buffered, settings).connect(host)) {
                host.context.send(note(1));
                assertThat(host.closed.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(transport.sent()).contains("note/1");
                await().until(() -> transport.closed);
                assertThatThrownBy(() -> host.context.send(note(2)))
                        .isInstanceOf(ConnectionException.class);
            }
        }

        @Test
        void oneWithoutMemoryEndsTheConnection() throws Exception {
            endsTheConnection(new OutOfMemoryError("of the test"));
            assertThat(host.cause).hasMessage("there was no memory to write a message");
        }

        @Test
        void oneThatFailsEndsTheConnection() throws Exception {
            endsTheConnection(new IllegalStateException("of the test"));
        }

        @Test
        void oneOfALostConnectionEndsIt() throws Exception {
            endsTheConnection(new InterruptedException("of the test"));
        }
    }

    @Nested
    class Malformed {
        @Test
        @Requirement({"ERR-001", "ROOM-044"})
        void isAnsweredWithoutIdAndSurvivedByAServer() throws Exception {
            try (Serving serving = serve()) {
                transport.give("no json", echo("2"));
                assertThat(transport.sent())
                        .startsWith("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,");
                assertThat(transport.sent()).isEqualTo(result("2"));
            }
        }

        @Test
        @Requirement("ERR-002")
        void aRequestThatIsNoneIsRefusedUnderItsId() throws Exception {
            try (Serving serving = serve()) {
                transport.give("{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"echo\"}");
                assertThat(transport.sent())
                        .isEqualTo(
                                "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32600,"
                                        + "\"message\":\"Invalid request: jsonrpc must be"
                                        + " \\\"2.0\\\"\"}}");
            }
        }

        @Test
        void anAnswerThatIsNoneFailsTheRequestAndItsIdIsNotSentBack() throws Exception {
            try (Serving serving = serve()) {
                transport.give("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":17}");
                assertThat(transport.sent())
                        .startsWith("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,");
                assertThat(host.failed.get(RequestId.of(3)))
                        .hasMessage(
                                "the answer cannot be read: Invalid request: result must"
                                        + " be an object but was a number");
            }
        }

        @Test
        @Requirement("ROOM-044")
        void isOnlyNotedByAClient() throws Exception {
            try (Link link = connect()) {
                transport.give("no json", echo("2"));
                assertThat(transport.sent()).isEqualTo(result("2"));
                assertThat(transport.hasSent()).isFalse();
            }
        }
    }

    @Nested
    class Batches {
        @Test
        @Requirement({"BASE-021", "VERS-013"})
        void areRefusedOnOtherRevisions() throws Exception {
            try (Serving serving = serve()) {
                for (Revision revision : Revision.withHandshake()) {
                    if (revision != Revision.V2025_03_26) {
                        host.revision = revision;
                        transport.give("[" + echo("1") + "]");
                        assertThat(transport.sent())
                                .isEqualTo(
                                        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
                                                + "\"message\":\"Invalid request: batches belong to"
                                                + " revision 2025-03-26\"}}");
                    }
                }
                assertThat(host.received).isEmpty();
            }
        }

        @Test
        @Requirement("VERS-014")
        void areRefusedBeforeTheRevisionIsAgreedOn() throws Exception {
            host.revision = null;
            try (Serving serving = serve()) {
                transport.give("[" + request("1", "initialize") + "]");
                assertThat(transport.sent()).contains("\"code\":-32600").doesNotContain("\"id\"");
            }
        }

        @Test
        @Requirement({"VERS-013", "VERS-018"})
        void areAnsweredAsOneArrayWhenTheLastAnswerIsThere() throws Exception {
            host.revision = Revision.V2025_03_26;
            try (Serving serving = serve()) {
                transport.give(
                        "["
                                + request("1", "hold")
                                + ","
                                + echo("2")
                                + ",{\"jsonrpc\":\"2.0\",\"method\":\"note\"},"
                                + request("3", "abandon")
                                + "]",
                        echo("4"));
                assertThat(transport.sent()).isEqualTo(result("4")); // the batch still waits
                host.held
                        .get(RequestId.of(1))
                        .send(note(5)); // a message that is no response goes out at once
                assertThat(transport.sent()).contains("note/5");
                host.answerHeld(host.awaitHeld());
                assertThat(transport.sent()).isEqualTo("[" + result("2") + "," + result("1") + "]");
            }
        }

        @Test
        @Requirement("VERS-017")
        void ofNotificationsAreNotAnswered() throws Exception {
            host.revision = Revision.V2025_03_26;
            try (Serving serving = serve()) {
                transport.give("[{\"jsonrpc\":\"2.0\",\"method\":\"note\"}]", echo("4"));
                assertThat(transport.sent()).isEqualTo(result("4"));
                assertThat(host.received).hasSize(2);
            }
        }

        @Test
        @Requirement("N26-BASE-001")
        void areRefusedWithARequestThatNamesItsRevision() throws Exception {
            host.revision = Revision.V2025_03_26;
            String claiming =
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"_meta\":"
                            + "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}";
            try (Serving serving = serve()) {
                transport.give("[" + echo("2") + "," + claiming + "]", echo("4"));
                assertThat(transport.sent())
                        .isEqualTo(
                                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"Invalid"
                                    + " request: requests of revision 2026-07-28 must not be in a"
                                    + " batch\"}}");
                assertThat(transport.sent()).isEqualTo(result("4"));
                assertThat(host.received).hasSize(1);
            }
        }

        @Test
        @Requirement("VERS-014")
        void refuseInitializeAndCarryTheErrorsOfWhatIsMalformed() throws Exception {
            host.revision = Revision.V2025_03_26;
            try (Serving serving = serve()) {
                transport.give("[" + request("1", "initialize") + ",17," + echo("2") + "]");
                assertThat(transport.sent())
                        .isEqualTo(
                                "[{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"Invalid"
                                    + " request: a message must be an object but was a number\"}},"
                                    + "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32600,\"message\":\"Invalid"
                                    + " request: initialize must not be in a batch\"}},"
                                        + result("2")
                                        + "]");
            }
        }
    }

    @Nested
    class TheEnd {
        @Test
        @Requirement("STDIO-012")
        void aClosedPeerEndsTheSession() throws Exception {
            Serving serving = serve();
            transport.giveEnd();
            serving.await();
            assertThat(host.closed.getCount()).isZero();
            assertThat(host.cause).isNull();
            assertThat(transport.closed).isTrue();
        }

        @Test
        void sendingAfterAConnectionLossReportsTheLoss() throws Exception {
            try (Serving serving = serve()) {
                transport.lose();
                serving.await();
                assertThatThrownBy(() -> host.context.send(note(1)))
                        .isInstanceOf(ConnectionException.class)
                        .hasMessage("the connection was lost: cable cut");
            }
        }

        @Test
        void whatWasAskedBeforeTheEndOfInputIsStillAnswered() throws Exception {
            settings =
                    settings.withAnswerGrace(Duration.ofDays(1))
                            .withCloseGrace(Duration.ofSeconds(60));
            Serving serving = serve();
            transport.give(request("1", "hold"));
            transport.giveEnd();
            JsonRpcRequest held = host.awaitHeld();
            host.answerHeld(held);
            serving.await();
            assertThat(transport.sent()).isEqualTo(result("1"));
        }

        @Test
        void closingAnswersWhatIsUnderWayAndRefusesWhatIsNew() throws Exception {
            settings =
                    settings.withAnswerGrace(Duration.ofDays(1))
                            .withCloseGrace(Duration.ofSeconds(60));
            host.revision = Revision.V2025_03_26;
            Serving serving = serve();
            transport.give(request("1", "hold"));
            JsonRpcRequest held = host.awaitHeld();
            Thread closing = Thread.ofPlatform().start(serving::close);
            host.inputEnded.await(); // the server takes no more requests
            String refused =
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32603,\"message\":"
                            + "\"The server is closing\",\"data\":{\"retryable\":true}}}";
            transport.give(echo("2"));
            assertThat(transport.sent()).isEqualTo(refused);
            transport.give("[" + echo("2") + "]");
            assertThat(transport.sent()).isEqualTo("[" + refused + "]");
            host.answerHeld(held);
            closing.join();
            assertThat(transport.sent()).isEqualTo(result("1"));
        }

        /** The next round of a call can reach no other process. */
        @Test
        void closingTakesTheRequestThatACallWaitsFor() throws Exception {
            settings =
                    settings.withAnswerGrace(Duration.ofDays(1))
                            .withCloseGrace(Duration.ofSeconds(60));
            CountDownLatch waits = new CountDownLatch(1);
            CountDownLatch continued = new CountDownLatch(1);
            host.requests = new WaitingHost(waits, continued);
            Serving serving = serve();
            Thread closing = Thread.ofPlatform().start(serving::close);
            waits.await();
            transport.give(
                    """
                    {"jsonrpc":"2.0","id":1,"method":"echo","params":{"requestState":"s",\
                    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}\
                    """);
            assertThat(transport.sent()).contains("\"id\":1,\"result\"");
            transport.give(echo("2"));
            assertThat(transport.sent()).contains("\"id\":2,\"error\"");
            continued.countDown();
            closing.join();
        }

        /** A call waits for the next request of its client. */
        private record WaitingHost(CountDownLatch waits, CountDownLatch continued)
                implements RequestHost {
            @Override
            public void accept(
                    JsonRpcRequest request,
                    RequestMeta meta,
                    RequestOrigin origin,
                    Exchange exchange,
                    Consumer<RunningRequest> onTaken) {
                throw new AssertionError("the session gets the requests of a pipe");
            }

            @Override
            public JsonRpcError unsupported(String requested) {
                throw new AssertionError(requested);
            }

            @Override
            public void awaitContinued(Duration limit) throws InterruptedException {
                waits.countDown();
                continued.await();
            }
        }

        @Test
        void closingTwiceStillAnswersWhatIsUnderWay() throws Exception {
            settings =
                    settings.withAnswerGrace(Duration.ofDays(1))
                            .withCloseGrace(Duration.ofSeconds(60));
            Serving serving = serve();
            transport.give(request("1", "hold"));
            JsonRpcRequest held = host.awaitHeld();
            List<Thread> closers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Thread closing = Thread.ofPlatform().start(serving::close);
                await("a closer that waits").until(() -> isWaiting(closing));
                closers.add(closing);
            }
            assertThat(host.closed.getCount()).isOne();
            host.answerHeld(held);
            for (Thread closing : closers) {
                closing.join();
            }
            assertThat(transport.sent()).isEqualTo(result("1"));
        }

        private boolean isWaiting(Thread thread) {
            return switch (thread.getState()) {
                case WAITING, TIMED_WAITING -> true;
                default -> false;
            };
        }

        @Test
        void closingWaitsNoLongerWhereTheInputHasEnded() throws Exception {
            settings = settings.withAnswerGrace(Duration.ofDays(1));
            Serving serving = serve();
            transport.give(request("1", "hold"));
            transport.giveEnd();
            assertThat(host.inputEnded.await(60, TimeUnit.SECONDS)).isTrue();
            serving.close();
            assertThat(host.held).containsOnlyKeys(RequestId.of(1));
        }

        @Test
        @Requirement("LIFE-027")
        void aLostConnectionReportsItsCauseToTheSession() throws Exception {
            Link link = connect();
            transport.lose();
            assertThat(host.closed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(host.cause).hasMessage("the connection was lost: cable cut");
            link.close();
        }

        @ParameterizedTest
        @ValueSource(classes = {IllegalStateException.class, LinkageError.class})
        void aSessionThatFailsToCloseLeavesNoOpenTransport(Class<? extends Throwable> failure)
                throws Exception {
            host.closing = failure;
            Serving serving = serve();
            transport.giveEnd();
            serving.await();
            assertThat(transport.closed).isTrue();
        }

        @Test
        void whatIsQueuedIsWrittenBeforeTheConnectionCloses() throws Exception {
            settings = settings.withCloseGrace(Duration.ofSeconds(60));
            Serving serving = serve();
            for (int i = 0; i < 100; i++) {
                host.context.send(note(i));
            }
            host.context.close();
            serving.await();
            for (int i = 0; i < 100; i++) {
                assertThat(transport.sent()).contains("note/" + i + "\"");
            }
            assertThatThrownBy(() -> host.context.send(note(1)))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("the connection is closed");
        }

        @Test
        void aPeerThatReadsNothingIsGivenUp() throws Exception {
            settings =
                    settings.withQueuedMessages(2)
                            .withSendTimeout(Duration.ofMillis(50))
                            .withCloseGrace(Duration.ofMillis(50));
            transport.stall();
            Serving serving = serve();
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 10; i++) {
                                    host.context.send(note(i));
                                }
                            })
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("the peer has read nothing for 50 ms");
            serving.await();
            assertThat(host.cause).hasMessage("the peer has read nothing for 50 ms");
        }

        @Test
        void aRequestThatWaitsForItsPlaceCanBeCancelled() throws Exception {
            settings = settings.withQueuedMessages(2).withCloseGrace(Duration.ofMillis(50));
            transport.stall();
            try (Serving serving = serve()) {
                int more = 6; // than fit
                List<Boolean> sent = new CopyOnWriteArrayList<>();
                Thread caller =
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            for (int i = 0; i < more; i++) {
                                                sent.add(
                                                        host.context.call(ask(i), Map.of(), false));
                                            }
                                        });
                await("no request waits for its place")
                        .until(
                                () -> {
                                    for (int i = 0; i < more; i++) {
                                        host.context.cancel(RequestId.of(i));
                                    }
                                    return !caller.isAlive();
                                });
                assertThat(sent).hasSize(more).contains(true, false);
            }
        }

        private static JsonRpcRequest ask(int id) {
            return new JsonRpcRequest(RequestId.of(id), "ask", null);
        }

        @Test
        void closingFromManyThreadsEndsAllThreadsOfTheConnection() throws Exception {
            settings = PipeSettings.named("closing");
            Serving serving = serve();
            List<Thread> closers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                closers.add(Thread.ofVirtual().start(serving::close));
            }
            for (Thread closer : closers) {
                closer.join();
            }
            serving.await();
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().startsWith("mcp-closing-")) { // it is about to end
                    assertThat(thread.join(Duration.ofSeconds(60))).as(thread.getName()).isTrue();
                }
            }
        }

        @Test
        void aHostThatTakesNoSessionClosesTheTransport() {
            assertThatThrownBy(
                            () ->
                                    new PipeEndpoint(transport, settings)
                                            .serve(
                                                    context -> {
                                                        throw new IllegalStateException("full");
                                                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("full");
            assertThat(transport.closed).isTrue();
        }
    }

    @Nested
    class Interrupts {
        @Test
        void doNotDisturbTheTransportAndStaySet() throws Exception {
            try (Serving serving = serve()) {
                Thread.currentThread().interrupt();
                host.context.send(note(1));
                assertThat(Thread.interrupted()).isTrue();
                assertThat(transport.sent()).contains("note/1");
                host.context.send(note(2));
                assertThat(transport.sent()).contains("note/2");
            }
        }

        @Test
        void doNotEndTheWaitForPlace() throws Exception {
            settings = settings.withQueuedMessages(1);
            transport.stall();
            try (Serving serving = serve()) {
                BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
                Thread sending =
                        Thread.ofPlatform()
                                .start(
                                        () -> {
                                            Thread.currentThread().interrupt();
                                            for (int i = 0; i < 4; i++) { // more than find place
                                                host.context.send(note(i));
                                            }
                                            interrupted.add(Thread.interrupted());
                                        });
                await("a sender that waits")
                        .until(() -> sending.getState() == Thread.State.TIMED_WAITING);
                transport.resume();
                assertThat(interrupted.take()).isTrue();
                for (int i = 0; i < 4; i++) {
                    assertThat(transport.sent()).contains("note/" + i + "\"");
                }
            }
        }
    }
}
