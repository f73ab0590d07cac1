package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.pipe.BufferedTransport;
import dev.fairlead.protocol.pipe.PipeEndpoint;
import dev.fairlead.protocol.pipe.PipeSettings;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The contract of every {@link Transport}, alone and under the adapter that joins it with servers
 * and clients. Extend this class, implement its abstract methods, and run it with JUnit 5 or 6.
 */
@Timeout(300)
@Requirement("TRAN-003")
public abstract class TransportContract {
    private static final PipeSettings SETTINGS =
            PipeSettings.named("contract")
                    .withSendTimeout(Duration.ofSeconds(60))
                    .withCloseGrace(Duration.ofSeconds(60));

    @SuppressWarnings("NullAway.Init") // JUnit calls openConnection first
    private Transport near;

    @SuppressWarnings("NullAway.Init")
    private Transport far;

    /** Both ends of one open connection. */
    public record Ends(Transport near, Transport far) {}

    /** Opens a connection of the transport under test with itself. */
    protected abstract Ends open() throws Exception;

    /**
     * Makes the far end of the connection opened last send a text that is framed as one message but
     * is not JSON.
     */
    protected abstract void sendMalformed() throws Exception;

    @BeforeEach
    final void openConnection() throws Exception {
        Ends ends = open();
        near = ends.near();
        far = ends.far();
    }

    @AfterEach
    final void closeConnection() throws Exception {
        near.close();
        far.close();
    }

    private static JsonRpcRequest request(long id, String text) {
        return new JsonRpcRequest(
                RequestId.of(id), "echo", RawJson.of(JsonObject.of("text", text)));
    }

    private static void send(Transport transport, JsonRpcMessage message) throws IOException {
        transport.send(message);
        if (transport instanceof BufferedTransport buffered) {
            buffered.flush();
        }
    }

    private static void assertSame(JsonRpcRequest expected, @Nullable JsonRpcMessage actual) {
        JsonRpcRequest request = assertInstanceOf(JsonRpcRequest.class, actual);
        assertEquals(expected.id(), request.id());
        assertEquals(value(expected.params()), value(request.params()));
    }

    private static JsonValue value(@Nullable RawJson json) {
        return Objects.requireNonNull(json, "params").value();
    }

    private static <T> FutureTask<T> start(Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread.ofPlatform().daemon().name("contract-helper").start(task);
        return task;
    }

    @Test
    void messagesArriveInOrderInBothDirections() throws Exception {
        for (int id = 0; id < 100; id++) {
            send(near, request(id, "to far"));
            send(far, request(id, "to near"));
        }
        for (int id = 0; id < 100; id++) {
            assertSame(request(id, "to far"), far.receive());
            assertSame(request(id, "to near"), near.receive());
        }
    }

    @Test
    void anyTextArrivesUnchanged() throws Exception {
        String text = "line\nend\r\n \u0000 \u2028 \u00FC \u65E5\u672C \uD83D\uDE00 \"\\ ";
        send(near, request(1, text));
        assertSame(request(1, text), far.receive());
    }

    @Test
    void largeMessagesArriveWhole() throws Exception {
        String text = "0123456789abcdef".repeat(1 << 19); // 8 MiB
        FutureTask<Void> sending =
                start(
                        () -> {
                            send(near, request(1, text));
                            send(near, request(2, "after"));
                            return null;
                        });
        assertSame(request(1, text), far.receive());
        assertSame(request(2, "after"), far.receive());
        sending.get();
    }

    @Test
    void aMalformedMessageIsReportedAndTheNextOneIsRead() throws Exception {
        sendMalformed();
        send(far, request(2, "after"));
        MalformedMessageException malformed =
                assertThrows(MalformedMessageException.class, near::receive);
        assertEquals(-32700, malformed.response().error().code());
        assertSame(request(2, "after"), near.receive());
    }

    @Test
    void theEndOfThePeerIsTheEndOfInput() throws Exception {
        send(far, request(1, "last"));
        far.close();
        assertSame(request(1, "last"), near.receive());
        assertNull(near.receive());
    }

    @Test
    void closingEndsAWaitingReceive() throws Exception {
        FutureTask<Boolean> receiving =
                start(
                        () -> {
                            try {
                                return near.receive() == null;
                            } catch (IOException e) {
                                return true;
                            }
                        });
        near.close();
        assertTrue(receiving.get(60, TimeUnit.SECONDS));
    }

    @Test
    void closingEndsASendThatNoPeerReads() throws Exception {
        String text = "x".repeat(1 << 20);
        FutureTask<Integer> sending =
                start(
                        () -> {
                            int sent = 0;
                            try {
                                while (sent < 200) {
                                    send(near, request(sent, text));
                                    sent++;
                                }
                            } catch (IOException e) {
                                // closing causes this
                            }
                            return sent;
                        });
        near.close();
        assertTrue(sending.get(60, TimeUnit.SECONDS) <= 200);
    }

    @Test
    void closingFromManyThreadsIsClosingOnce() throws Exception {
        List<FutureTask<Void>> closers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Transport end = i % 2 == 0 ? near : far;
            closers.add(
                    start(
                            () -> {
                                end.close();
                                return null;
                            }));
        }
        for (FutureTask<Void> closer : closers) {
            closer.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    @Requirement("STDIO-010")
    void interruptsInTheMiddleOfSendingNeverMeetTheConnection() throws Exception {
        int threads = 16;
        int each = 50;
        SilentHost host = new SilentHost();
        try (Serving serving = new PipeEndpoint(near, SETTINGS).serve(host)) {
            List<Thread> senders = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int first = t * each;
                senders.add(Thread.ofVirtual().unstarted(() -> sendAll(host, first, each)));
            }
            senders.forEach(Thread::start);
            int received = 0;
            int[] next = new int[threads];
            while (received < threads * each) {
                senders.forEach(Thread::interrupt);
                JsonRpcNotification notification =
                        assertInstanceOf(JsonRpcNotification.class, far.receive());
                int number = Integer.parseInt(notification.method());
                assertEquals(next[number / each]++, number % each);
                received++;
            }
            assertEquals(0, host.closings());
            send(far, new JsonRpcNotification("still there", null));
            assertEquals(
                    "still there",
                    assertInstanceOf(JsonRpcNotification.class, host.next()).method());
        }
    }

    private static void sendAll(SilentHost host, int first, int count) {
        RawJson params = RawJson.of(JsonObject.of("text", "x".repeat(5_000)));
        for (int i = 0; i < count; i++) {
            host.context().send(new JsonRpcNotification(Integer.toString(first + i), params));
        }
    }

    @Test
    void closingTheServingEndsItsThreadsAndNotifiesThePeer() throws Exception {
        SilentHost host = new SilentHost();
        Serving serving = new PipeEndpoint(near, SETTINGS).serve(host);
        host.context().send(new JsonRpcNotification("last", null));
        assertTrue(host.context().isReachable());
        serving.close();
        assertFalse(host.context().isReachable());
        assertEquals(1, host.closings());
        assertThrows(
                ConnectionException.class,
                () -> host.context().send(new JsonRpcNotification("late", null)));
        assertInstanceOf(JsonRpcNotification.class, far.receive());
        assertNull(far.receive());
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("mcp-contract-reader")
                    || thread.getName().equals("mcp-contract-writer")) { // it is about to end
                assertTrue(thread.join(Duration.ofSeconds(60)), thread.getName());
            }
        }
    }
}
