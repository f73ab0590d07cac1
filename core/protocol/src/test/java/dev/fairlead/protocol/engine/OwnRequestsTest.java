package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

@Timeout(300)
class OwnRequestsTest {
    private final Peer peer = new Peer();
    private final ManualTimers timers = new ManualTimers();
    private final Connection connection =
            new Connection(peer, new NoRequests(), ConnectionLimits.DEFAULT, timers);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        connection.close();
        callers.close();
    }

    private static class NoRequests implements ConnectionHandler {
        @Override
        public PreparedRequest prepare(JsonRpcRequest request, Exchange exchange) {
            throw JsonRpcException.methodNotFound(request.method());
        }

        @Override
        public void handle(JsonRpcNotification notification, Exchange exchange) {}
    }

    @CheckReturnValue
    private Future<RawJson> call(String method, @Nullable ProgressListener listener) {
        return callers.submit(
                () -> connection.request(request(method, listener, !method.equals("initialize"))));
    }

    private static OutgoingRequest request(
            String method, @Nullable ProgressListener listener, boolean cancellable) {
        return new OutgoingRequest(
                method,
                token -> token == null ? null : RawJson.of(JsonObject.of("token", token.value())),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                listener,
                null,
                cancellable);
    }

    private void accept(String message) {
        connection.accept(JsonRpcMessage.parse(message), peer);
    }

    private static Throwable failure(Future<?> future) throws Exception {
        try {
            future.get(60, TimeUnit.SECONDS);
            throw new AssertionError("the call did not fail");
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** A request that has timed out has no timer any more. */
    private void assertNotTimedOut() {
        assertThat(timers.waiting()).isOne();
    }

    @Test
    @Requirement({"BASE-006", "BASE-008"})
    void responsesFindTheirRequestsInAnyOrder() throws Exception {
        Future<RawJson> first = call("a", null);
        assertThat(peer.next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}");
        Future<RawJson> second = call("b", null);
        assertThat(peer.next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"b\"}");
        accept("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"of\":\"b\"}}");
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"of\":\"a\"}}");
        assertThat(second.get().toJson()).isEqualTo("{\"of\":\"b\"}");
        assertThat(first.get().toJson()).isEqualTo("{\"of\":\"a\"}");
        assertThat(connection.pendingRequests()).isZero();
        assertThat(timers.waiting()).isZero();
    }

    @Test
    @Requirement("ERR-026")
    void anErrorArrivesUnchanged() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        accept(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-31999,\"message\":\"odd\",\"data\":[1]}}");
        assertThat(failure(call))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(-31999);
                            assertThat(e).hasMessage("odd");
                            assertThat(String.valueOf(e.data())).isEqualTo("[1]");
                        });
    }

    @Test
    @Requirement({"BASE-018", "BASE-004"})
    void anUnexpectedResponseIsDropped() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        accept("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}");
        accept("{\"jsonrpc\":\"2.0\",\"id\":\"01\",\"result\":{\"wrong\":true}}");
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"again\":true}}");
        assertThat(call.get().toJson()).isEqualTo("{}");
    }

    /** Peers that lose the type of an id (PHP, shells) send the text of the integer. */
    @Test
    void theTextOfAnIdAnswersItsRequest() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        accept("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"a\":1}}");
        assertThat(call.get().toJson()).isEqualTo("{\"a\":1}");
    }

    @Test
    void theTextOfAnIdAnswersOnceAndInOneSpelling() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        for (String other : List.of(" 1", "1.0", "+1", "-1", "01", "\uff11", "2")) {
            accept(
                    "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":{\"wrong\":true}}"
                            .formatted(other));
        }
        accept("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"a\":1}}");
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"again\":true}}");
        assertThat(call.get().toJson()).isEqualTo("{\"a\":1}");
    }

    @Test
    @Requirement({"LIFE-028", "LIFE-029", "CANC-001", "CANC-003", "VERS-025", "ROOM-032"})
    void aTimeoutCancelsAtThePeer() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        timers.advance(Duration.ofMillis(29_999));
        assertNotTimedOut();
        timers.advance(Duration.ofMillis(1));
        assertThat(failure(call))
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("a: no response or progress for 30 s");
        assertThat(peer.next())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1,\"reason\":\"timeout\"}}");
    }

    @Test
    void aTimeoutThatFindsNoMemoryEndsTheRequestAllTheSame() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        Thread ofTimers = Thread.currentThread(); // the caller may cancel first
        AtomicBoolean hasFailed = new AtomicBoolean();
        Peer silent =
                new Peer() {
                    @Override
                    public boolean call(
                            JsonRpcRequest request, Map<String, String> headers, boolean progress) {
                        received.add(request);
                        Uninterruptibly.await(cancelled::await);
                        return true;
                    }

                    @Override
                    public boolean cancel(RequestId request) {
                        attempts.incrementAndGet();
                        if (Thread.currentThread() == ofTimers
                                && hasFailed.compareAndSet(false, true)) {
                            throw new OutOfMemoryError("of the test");
                        }
                        cancelled.countDown();
                        return true;
                    }
                };
        try (Connection calling =
                new Connection(silent, new NoRequests(), ConnectionLimits.DEFAULT, timers)) {
            Future<RawJson> call = callers.submit(() -> calling.request(request("a", null, true)));
            silent.next();

            timers.advance(Duration.ofSeconds(30));

            assertThat(attempts).hasValueGreaterThan(1); // the caller cancels as well
            assertThat(failure(call)).isInstanceOf(RequestTimeoutException.class);
        } finally {
            cancelled.countDown();
        }
    }

    /**
     * Its time may be over between the start of its clock and the moment when a transport has it.
     */
    @Test
    void aRequestThatIsOverBeforeTheTransportHasItFreesItsCaller() throws Exception {
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Peer silent =
                new Peer() {
                    @Override
                    public boolean call(
                            JsonRpcRequest request, Map<String, String> headers, boolean progress) {
                        received.add(request);
                        Uninterruptibly.await(cancelled::await);
                        return false;
                    }

                    @Override
                    public boolean cancel(RequestId request) {
                        if (known.getCount() == 0) {
                            cancelled.countDown();
                        }
                        return false;
                    }
                };
        try (Connection calling =
                new Connection(silent, new NoRequests(), ConnectionLimits.DEFAULT, timers)) {
            Future<RawJson> call = callers.submit(() -> calling.request(request("a", null, true)));
            silent.next();
            timers.advance(Duration.ofSeconds(30));
            known.countDown();

            assertThat(failure(call)).isInstanceOf(RequestTimeoutException.class);
            assertThat(silent.received).isEmpty(); // no cancellation of what was not sent
        } finally {
            cancelled.countDown();
        }
    }

    /** A peer that guesses ids answers requests that wait for their place. */
    @Test
    void theClockOfARequestThatHasAResponseRunsUntilItsCallerIsFree() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        Peer full =
                new Peer() {
                    @Override
                    public boolean call(
                            JsonRpcRequest request, Map<String, String> headers, boolean progress) {
                        received.add(request);
                        Uninterruptibly.await(cancelled::await);
                        return false;
                    }

                    @Override
                    public boolean cancel(RequestId request) {
                        cancelled.countDown();
                        return true;
                    }
                };
        try (Connection calling =
                new Connection(full, new NoRequests(), ConnectionLimits.DEFAULT, timers)) {
            Future<RawJson> call = callers.submit(() -> calling.request(request("a", null, true)));
            full.next();
            calling.accept(
                    JsonRpcMessage.parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"), full);
            timers.advance(Duration.ofSeconds(30));

            assertThat(call.get().toJson()).isEqualTo("{}");
        } finally {
            cancelled.countDown();
        }
    }

    @Test
    void theTimeOfARequestThatIsHeldUpStandsStill() throws Exception {
        Future<RawJson> call = call("ping", null);
        peer.next();
        timers.advance(Duration.ofSeconds(29));
        connection.pauseTimeout(RequestId.of(1));
        timers.advance(Duration.ofMinutes(20));
        assertNotTimedOut();
        connection.resumeTimeout(RequestId.of(1));
        timers.advance(Duration.ofMillis(999));
        assertNotTimedOut();
        timers.advance(Duration.ofMillis(1));

        assertThatThrownBy(call::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(RequestTimeoutException.class);
    }

    @Test
    @Requirement({"LIFE-031", "LIFE-032", "PROG-001", "N26-CANC-005"})
    void progressExtendsTheTimeoutButNotTheMaximum() throws Exception {
        Future<RawJson> call = call("a", progress -> {});
        assertThat(peer.next()).contains("\"params\":{\"token\":1}");
        for (int i = 1; i <= 14; i++) {
            timers.advance(Duration.ofSeconds(20));
            accept(progress(1, i));
            assertNotTimedOut();
        }
        timers.advance(Duration.ofSeconds(20)); // 300 s in all
        assertThat(failure(call)).hasMessage("a: no answer within 5 min");
    }

    @Test
    @Requirement("LIFE-031")
    void aTimeOfDayThatIsSetChangesNoTimeout() throws Exception {
        Future<RawJson> call = call("a", progress -> {});
        peer.next();
        timers.advance(Duration.ofSeconds(20));
        accept(progress(1, 1));
        timers.setClock(Duration.ofHours(1));

        timers.advance(Duration.ofSeconds(10)); // the timer fires, and is set again
        assertNotTimedOut();
        timers.advance(Duration.ofSeconds(20));
        assertThat(failure(call)).hasMessage("a: no response or progress for 30 s");
    }

    private static String progress(long token, int value) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                + token
                + ",\"progress\":"
                + value
                + "}}";
    }

    @Test
    @Requirement({"PROG-001", "PROG-011", "PROG-014"})
    void progressReachesTheCallerInOrderBeforeItsCallReturns() throws Exception {
        List<Double> heard = new ArrayList<>();
        Future<RawJson> call = call("a", progress -> heard.add(progress.progress()));
        peer.next();
        for (int i = 1; i <= 10; i++) {
            accept(progress(1, i));
            accept(progress(77, i)); // of no request
        }
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        accept(progress(1, 11));
        call.get();
        assertThat(heard).containsExactly(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0);
    }

    @Test
    @Requirement("PROG-012")
    void ofAFloodOfProgressTheNewestReportsAreKept() throws Exception {
        CountDownLatch listening = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        List<Progress> heard = new ArrayList<>();
        Future<RawJson> call =
                call(
                        "a",
                        progress -> {
                            heard.add(progress);
                            listening.countDown();
                            await(proceed);
                        });
        peer.next();
        accept(progress(1, 0));
        listening.await();
        for (int i = 1; i <= 1_000; i++) {
            accept(progress(1, i));
        }
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        proceed.countDown();
        call.get();
        assertThat(heard).hasSize(1 + PendingRequest.PROGRESS_LIMIT);
        assertThat(heard.getLast().progress()).isEqualTo(1_000);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aListenerThatFailsDoesNotEndItsCall() throws Exception {
        assertEndsNoCall(
                progress -> {
                    throw new IllegalStateException("no");
                });
    }

    @Test
    void aListenerThatThrowsAnErrorDoesNotEndItsCall() throws Exception {
        assertEndsNoCall(
                progress -> {
                    throw new LinkageError("a class is missing");
                });
    }

    private void assertEndsNoCall(ProgressListener failing) throws Exception {
        Future<RawJson> call = call("a", failing);
        peer.next();
        accept(progress(1, 1));
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        assertThat(call.get().toJson()).isEqualTo("{}");
        assertThat(peer.received).isEmpty();
    }

    @Test
    @Requirement("CANC-002")
    void anInterruptAfterTheResponseCancelsNothing() throws Exception {
        CountDownLatch listening = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        Future<RawJson> call =
                call(
                        "a",
                        progress -> {
                            listening.countDown();
                            Uninterruptibly.await(proceed::await);
                            Thread.currentThread().interrupt();
                        });
        peer.next();
        accept(progress(1, 1));
        listening.await();
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        proceed.countDown();
        assertThat(call.get().toJson()).isEqualTo("{}");
        assertThat(peer.received).isEmpty();
    }

    @Test
    @Requirement({"CANC-004", "LIFE-023"})
    void initializeIsNeverCancelled() throws Exception {
        Future<RawJson> timedOut = call("initialize", null);
        peer.next();
        timers.advance(Duration.ofSeconds(30));
        assertThat(failure(timedOut)).isInstanceOf(RequestTimeoutException.class);
        CountDownLatch interrupted = new CountDownLatch(1);
        Future<?> call =
                callers.submit(
                        () -> {
                            try {
                                connection.request(request("initialize", null, false));
                            } catch (InterruptedException e) {
                                interrupted.countDown();
                            }
                        });
        peer.next();
        call.cancel(true);
        interrupted.await();
        connection.notify(new JsonRpcNotification("next", null));
        assertThat(peer.next()).contains("\"next\"");
    }

    @Test
    @Requirement({"CANC-001", "CANC-002", "CANC-015", "HTTP-019"})
    void anInterruptCancelsAtThePeer() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        call.cancel(true);
        assertThat(peer.next())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1,\"reason\":\"the"
                            + " caller no longer waits\"}}");
    }

    @Test
    @Requirement("CANC-012")
    void aCancellationThatCannotBeSentIsOnlyLogged() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        peer.gone = true;
        timers.advance(Duration.ofSeconds(30));
        assertThat(failure(call)).isInstanceOf(RequestTimeoutException.class);
    }

    @Test
    @Requirement({"CANC-009", "CANC-010", "ROOM-042", "N26-CANC-004"})
    void raceCancelBeforeResponseTheLateResponseIsIgnored() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        call.cancel(true);
        assertThat(peer.next()).contains("notifications/cancelled");
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        assertThat(connection.pendingRequests()).isZero();
    }

    @Test
    @Requirement("CANC-010")
    void raceResponseBeforeCancelTheResponseCounts() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        assertThat(call.get().toJson()).isEqualTo("{}");
        timers.advance(Duration.ofHours(1));
        assertThat(peer.received).isEmpty();
    }

    @Test
    @Requirement("CANC-010")
    void raceCancelAndResponseCrossingTheCallEndsExactlyOnce() throws Exception {
        for (int i = 1; i <= 500; i++) {
            String response = "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"result\":{}}";
            Future<RawJson> call = call("a", null);
            peer.next();
            Future<?> answering = callers.submit(() -> accept(response));
            timers.advance(Duration.ofSeconds(30));
            answering.get();
            boolean answered;
            try {
                answered = call.get(60, TimeUnit.SECONDS).isObject();
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(RequestTimeoutException.class);
                answered = false;
            }
            assertThat(peer.received).hasSize(answered ? 0 : 1);
            peer.received.clear();
            assertThat(connection.pendingRequests()).isZero();
        }
    }

    @Test
    @Requirement("LIFE-027")
    void closingFailsWhatWaits() throws Exception {
        Future<RawJson> call = call("a", null);
        peer.next();
        connection.close();
        assertThat(failure(call)).isInstanceOf(ConnectionException.class);
        assertThatThrownBy(() -> call("b", null).get())
                .hasCauseInstanceOf(ConnectionException.class);
    }

    @Test
    void anUndeliverableRequestFailsAtOnce() throws Exception {
        peer.gone = true;
        assertThat(failure(call("a", null))).isInstanceOf(ConnectionException.class);
        assertThat(connection.pendingRequests()).isZero();
        assertThat(timers.waiting()).isZero();
    }

    @Test
    @Requirement({"PROG-003", "PROG-013"})
    void progressOfATaskIsNotDeliveredToARequestWithTheSameToken() throws Exception {
        List<String> ofTasks = new CopyOnWriteArrayList<>();
        Connection second =
                new Connection(
                        peer,
                        new NoRequests() {
                            @Override
                            public boolean progressed(
                                    ProgressToken token,
                                    @Nullable JsonObject meta,
                                    Progress progress) {
                                return meta != null
                                        && ofTasks.add(token.value() + " " + progress.message());
                            }
                        },
                        ConnectionLimits.DEFAULT,
                        timers,
                        new AtomicLong(4));
        List<Progress> ofTheRequest = new ArrayList<>();
        Future<RawJson> call =
                callers.submit(() -> second.request(request("a", ofTheRequest::add, true)));
        assertThat(peer.next()).contains("\"id\":5").contains("{\"token\":5}");
        String progress =
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                        + "\"params\":{\"progressToken\":5,\"progress\":%s}}";
        second.accept(
                JsonRpcMessage.parse(progress.formatted("1,\"message\":\"task\",\"_meta\":{}")),
                peer);
        second.accept(JsonRpcMessage.parse(progress.formatted("2")), peer);
        second.accept(JsonRpcMessage.parse("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}"), peer);
        call.get(60, TimeUnit.SECONDS);
        assertThat(ofTasks).containsExactly("5 task");
        assertThat(ofTheRequest).extracting(Progress::progress).containsExactly(2.0);
        second.close();
    }

    @Test
    @Requirement({"CANC-005", "N26-CANC-006"})
    void whatBecomesATaskIsNotCancelledAsARequest() throws Exception {
        Future<RawJson> call =
                callers.submit(() -> connection.request(request("tools/call", null, false)));
        peer.next();
        timers.advance(Duration.ofMinutes(6));
        assertThat(failure(call)).isInstanceOf(RequestTimeoutException.class);
        assertThat(peer.received).isEmpty();
    }
}
