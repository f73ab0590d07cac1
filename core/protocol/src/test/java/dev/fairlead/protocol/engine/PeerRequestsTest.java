package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

@Timeout(300)
class PeerRequestsTest {
    private final Peer peer = new Peer();
    private final BlockingQueue<IncomingRequest> running = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> notifications = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> after = new LinkedBlockingQueue<>();
    private final CountDownLatch finish = new CountDownLatch(1);
    private final Connection connection =
            new Connection(peer, new Handler(), new ConnectionLimits(3, 10), new ManualTimers());

    @AfterEach
    void close() {
        finish.countDown();
        connection.close();
    }

    private final class Handler implements ConnectionHandler {
        private RawJson handle(IncomingRequest request) throws Exception {
            running.add(request);
            switch (request.method()) {
                case "wait" -> finish.await();
                case "standLate" ->
                        request.stayOpen(
                                () -> {}, () -> request.finish(RawJson.EMPTY_OBJECT, () -> {}));
                case "throw" -> throw new IllegalStateException("secret");
                case "refuse" -> throw new JsonRpcException(-7, "refused");
                case "then" ->
                        request.afterAnswer(
                                () ->
                                        after.add(
                                                peer.received.size()
                                                        + peer.abandoned.size()
                                                        + (peer.gone ? " gone" : " messages")));
                case "end" -> request.afterAnswer(() -> after.add("end"));
                case "waitThen" -> {
                    request.afterAnswer(() -> after.add(peer.abandoned.size() + " abandoned"));
                    finish.await();
                }
                default -> {}
            }
            return RawJson.EMPTY_OBJECT;
        }

        @Override
        public PreparedRequest prepare(JsonRpcRequest request, Exchange exchange) {
            if (request.method().equals("ping")) {
                return PreparedRequest.answered(RawJson.EMPTY_OBJECT);
            }
            if (request.method().equals("standLate")) {
                connection.inputEnded(); // as another thread may just then
            }
            return request.method().equals("threadless") ? new Threadless() : this::handle;
        }

        @Override
        public void handle(JsonRpcNotification notification, Exchange exchange) {
            notifications.add(notification.method());
            if (notification.method().equals("fail")) {
                throw new AssertionError("a bug of the handler");
            }
            if (notification.method().equals("block")) {
                try {
                    finish.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void accept(String message) {
        connection.accept(JsonRpcMessage.parse(message), peer);
    }

    private static String request(String id, String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}";
    }

    private static String cancel(String id) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
                + id
                + ",\"reason\":\"enough\"}}";
    }

    private static String notification(String method, int size) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"x\":\"%s\"}}"
                .formatted(method, "x".repeat(size));
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        return queue.poll(60, TimeUnit.SECONDS);
    }

    @Test
    void theBytesOfNotificationsThatWaitAreBounded() throws Exception {
        accept(notification("block", 1));
        assertThat(next(notifications)).isEqualTo("block");
        accept(notification("first", 3 << 20));
        accept(notification("second", 2 << 20));
        accept(notification("third", 1));
        finish.countDown();

        assertThat(next(notifications)).isEqualTo("first");
        assertThat(next(notifications)).isEqualTo("third");
    }

    @Test
    @Requirement({"BASE-004", "BASE-008", "STDIO-011"})
    void requestsRunBesideEachOther() throws Exception {
        accept(request("1", "wait"));
        accept(request("\"1\"", "go"));
        assertThat(peer.next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}");
        finish.countDown();
        assertThat(peer.next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    }

    @Test
    void aRequestThatIsTakenAtTheEndOfTheInputDoesNotStandOpen() throws Exception {
        accept(request("1", "standLate"));
        assertThat(peer.next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    }

    @Test
    @Requirement({"ERR-027", "ERR-022"})
    void anUnexpectedFailureGivesTheReferenceOnly() throws Exception {
        accept(request("1", "throw"));
        assertThat(peer.next())
                .matches(
                        "\\{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\\{\"code\":-32603,\"message\":\"Internal"
                            + " error, reference [0-9a-f]+\"}}");
    }

    @Test
    void aRefusalIsAnsweredAsItIs() throws Exception {
        accept(request("1", "refuse"));
        assertThat(peer.next())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-7,\"message\":\"refused\"}}");
    }

    @Test
    @Requirement("ROOM-043")
    void anIdInUseIsRefusedAndAFinishedOneIsNot() throws Exception {
        accept(request("1", "wait"));
        running.take();
        accept(request("1", "go"));
        assertThat(peer.next()).contains("-32600").contains("request id 1 is still in use");
        finish.countDown();
        peer.next();
        accept(request("1", "go"));
        assertThat(peer.next()).contains("\"result\"");
    }

    @Test
    @Requirement("ROOM-030")
    void whatFollowsAnAnswerComesAfterIt() throws Exception {
        accept(request("1", "then"));
        assertThat(next(after)).isEqualTo("1 messages");
    }

    @Test
    void whatFollowsAnAnswerComesAlsoWhereThereIsNone() throws Exception {
        accept(request("1", "waitThen"));
        running.take();
        accept(cancel("1"));
        assertThat(next(after)).isEqualTo("1 abandoned");
        peer.close();
        accept(request("2", "then"));
        assertThat(next(after)).isEqualTo("1 gone");
    }

    @Test
    void whatIsDueAfterTheResponseIsDoneThoughTheTransportBreaks() throws Exception {
        peer.broken = true;

        accept(request("1", "then"));

        assertThat(next(after)).isEqualTo("0 messages");
    }

    @Test
    void moreRequestsThanAllowedAreRefused() throws Exception {
        for (int id = 1; id <= 3; id++) {
            accept(request(String.valueOf(id), "wait"));
            running.take();
        }
        accept(request("4", "wait"));
        assertThat(peer.next()).contains("Too many requests at a time: at most 3 may run");
        accept(request("5", "ping"));
        assertThat(peer.next()).contains("\"id\":5,\"result\":{}");
    }

    @Test
    @Requirement({"CANC-007", "CANC-010"})
    void raceCancelWhileRunningInterruptsAndSendsNoResponse() throws Exception {
        accept(request("1", "wait"));
        IncomingRequest request = running.take();
        accept(cancel("1"));
        assertThat(next(peer.abandoned)).isEqualTo(RequestId.of(1));
        assertThat(request.cancellation())
                .contains(new Cancellation(Cancellation.Cause.PEER, "enough"));
        assertThat(peer.received).isEmpty();
    }

    @Test
    @Requirement({"CANC-008", "CANC-010", "CANC-011"})
    void raceCancelAfterResponseIsIgnored() throws Exception {
        accept(request("1", "go"));
        peer.next();
        accept(cancel("1"));
        accept(cancel("99"));
        accept("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}");
        accept(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{}}}");
        accept(request("2", "ping"));
        assertThat(peer.next()).contains("\"id\":2");
        assertThat(peer.abandoned).isEmpty();
    }

    @Test
    @Requirement("CANC-010")
    void raceCancelAndEndCrossingGiveOneOfBothAndNeverBoth() throws Exception {
        for (int id = 1; id <= 500; id++) {
            String wire = String.valueOf(id);
            accept(request(wire, "end"));
            Thread canceller = Thread.ofVirtual().start(() -> accept(cancel(wire)));
            canceller.join();
            next(after);
            assertThat(peer.received.size() + peer.abandoned.size()).isEqualTo(1);
            peer.received.clear();
            peer.abandoned.clear();
        }
    }

    @Test
    @Requirement("ROOM-031")
    void aCancellationNamesTheIdWithItsType() throws Exception {
        accept(request("1", "wait"));
        IncomingRequest request = running.take();
        accept(cancel("\"1\""));
        assertThat(request.cancellation()).isEmpty();
        accept(cancel("1"));
        assertThat(request.cancellation()).isPresent();
    }

    @Test
    void whatIsShieldedIsInterruptedAfterwards() throws Exception {
        IncomingRequest request =
                new IncomingRequest(new JsonRpcRequest(RequestId.of(1), "m", null), peer);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicBoolean interruptedInside = new AtomicBoolean();
        AtomicBoolean interruptedAfter = new AtomicBoolean();
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    request.begin();
                                    request.shielded(
                                            () -> {
                                                inside.countDown();
                                                Uninterruptibly.await(leave::await);
                                                interruptedInside.set(
                                                        Thread.currentThread().isInterrupted());
                                                return true;
                                            });
                                    interruptedAfter.set(Thread.currentThread().isInterrupted());
                                });
        inside.await();
        assertThat(request.cancel(new Cancellation(Cancellation.Cause.PEER, null))).isTrue();
        assertThat(request.cancel(new Cancellation(Cancellation.Cause.CLOSED, null))).isFalse();
        leave.countDown();
        thread.join();
        assertThat(interruptedInside).isFalse();
        assertThat(interruptedAfter).isTrue();
    }

    @Test
    @Requirement({"PROG-011", "PROG-007"})
    void nothingIsSentForARequestThatHasEnded() throws Exception {
        accept(request("1", "go"));
        peer.next();
        assertThat(running.take().send(new JsonRpcNotification("late", null))).isFalse();
        assertThat(peer.received).isEmpty();
    }

    @Test
    @Requirement("LIFE-027")
    void closingInterruptsWhatRuns() throws Exception {
        accept(request("1", "wait"));
        IncomingRequest request = running.take();
        connection.close();
        assertThat(next(peer.abandoned)).isEqualTo(RequestId.of(1));
        assertThat(request.cancellation().orElseThrow().cause())
                .isEqualTo(Cancellation.Cause.CLOSED);
    }

    @Test
    @Requirement({"BASE-017", "BASE-019"})
    void notificationsKeepTheirOrderAndAreNeverAnswered() throws Exception {
        for (int i = 0; i < 10; i++) {
            accept("{\"jsonrpc\":\"2.0\",\"method\":\"n" + i + "\"}");
        }
        List<String> heard = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            heard.add(next(notifications));
        }
        assertThat(heard)
                .containsExactly("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9");
        assertThat(peer.received).isEmpty();
    }

    @Test
    void anErrorOfAHandlerDoesNotKeepLaterNotificationsFromTheirs() throws Exception {
        accept("{\"jsonrpc\":\"2.0\",\"method\":\"fail\"}");
        accept("{\"jsonrpc\":\"2.0\",\"method\":\"next\"}");

        assertThat(next(notifications)).isEqualTo("fail");
        assertThat(next(notifications)).isEqualTo("next");
    }

    @Test
    void aFloodOfNotificationsIsDroppedBeyondItsLimit() throws Exception {
        accept("{\"jsonrpc\":\"2.0\",\"method\":\"block\"}");
        assertThat(next(notifications)).isEqualTo("block");
        for (int i = 0; i < 100; i++) {
            accept("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
        }
        finish.countDown();
        for (int i = 0; i < 10; i++) {
            assertThat(next(notifications)).isEqualTo("n");
        }
        accept("{\"jsonrpc\":\"2.0\",\"method\":\"last\"}");
        assertThat(next(notifications)).isEqualTo("last");
    }

    @Test
    void aRequestForWhichThereIsNoThreadTakesNoPlace() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            assertThatCode(() -> accept(request("1", "threadless"))).doesNotThrowAnyException();
            assertThat(peer.next()).contains("-32000", "no thread");
        }

        for (int id = 1; id <= 3; id++) {
            accept(request(Integer.toString(id), "wait"));
            assertThat(next(running)).isNotNull();
        }
    }

    /** Cannot be started: the system has no thread for it. */
    private static final class Threadless implements PreparedRequest {
        @Override
        public boolean needsPlatformThread() {
            throw new OutOfMemoryError("unable to create native thread");
        }

        @Override
        public RawJson run(IncomingRequest request) {
            throw new AssertionError("it has no thread");
        }
    }
}
