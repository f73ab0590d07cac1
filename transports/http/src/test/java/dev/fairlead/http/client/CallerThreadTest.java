package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Remote;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The thread that waits for a response makes the exchange of its request. */
@Timeout(90)
class CallerThreadTest extends ClosingTest {
    private static final String RESULT = "{'jsonrpc':'2.0','id':1,'result':{'answer':1}}";

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final CountDownLatch hangUp = new CountDownLatch(1);
    private RecordingSession session;

    /** Connects to a server, and keeps the threads that the connection makes. */
    private ScriptedServer connect(Script script) throws Exception {
        ScriptedServer server = closedLater(new ScriptedServer(script));
        ThreadFactory virtual = Thread.ofVirtual().factory();
        ThreadFactory kept =
                action -> {
                    Thread thread = virtual.newThread(action);
                    threads.add(thread);
                    return thread;
                };
        ConnectorOptions options = new ConnectorOptions(server.uri());
        Remote remote = host -> new HttpConnection(options, host, kept, Thread::start);
        session = closedLater(RecordingSession.connect(remote));
        return server;
    }

    /** Sends a request as a thread does that waits for the response. */
    private void call(int id) {
        String json =
                "{'jsonrpc':'2.0','id':"
                        + id
                        + ",'method':'tools/call','params':{'name':'x','_meta':"
                        + "{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}}}";
        JsonRpcMessage message = JsonRpcMessage.parse(json.replace('\'', '"'));
        session.context.call((JsonRpcRequest) message, Map.of(), true);
    }

    private void hang(ScriptedServer.Reply reply) throws IOException {
        reply.awaitHangUp();
        hangUp.countDown();
    }

    @Test
    void anAnswerOfJsonNeedsNoOtherThread() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        connect(
                (request, reply) -> {
                    both.countDown();
                    both.await();
                    reply.json(result(request.body().contains("\"id\":2") ? 2 : 1));
                });
        Thread second = Thread.ofPlatform().start(() -> call(2));
        call(1);
        second.join();
        assertThat(session.events).hasSize(2);
        int before =
                threads.size(); // one watches over the connections, of which one is always kept

        call(1);
        assertThat(session.events).hasSize(3);
        assertThat(threads).hasSize(before);
    }

    @Test
    void aStreamIsReadByAnotherThread() throws Exception {
        BlockingQueue<ScriptedServer.Reply> streams = new LinkedBlockingQueue<>();
        CountDownLatch over = new CountDownLatch(1);
        connect(
                (request, reply) -> {
                    streams.add(reply.stream());
                    over.await();
                });

        call(1);
        assertThat(session.events).isEmpty();
        streams.take().event(result(1));
        session.expect(RESULT);
        over.countDown();
    }

    @Test
    void anInterruptClosesTheExchangeAndStays() throws Exception {
        ScriptedServer server = connect((request, reply) -> hang(reply));
        FutureTask<Boolean> call =
                new FutureTask<>(
                        () -> {
                            call(1);
                            return Thread.currentThread().isInterrupted();
                        });
        Thread thread = Thread.ofPlatform().start(call);
        server.await(request -> request.calls("tools/call"));
        thread.interrupt();

        assertThat(call.get()).isTrue();
        hangUp.await();
        assertThat(session.events).isEmpty();
    }

    @Test
    void aCancellationOfAnotherThreadEndsIt() throws Exception {
        ScriptedServer server = connect((request, reply) -> hang(reply));
        FutureTask<Boolean> call =
                new FutureTask<>(
                        () -> {
                            call(1);
                            return Thread.currentThread().isInterrupted();
                        });
        Thread.ofPlatform().start(call);
        server.await(request -> request.calls("tools/call"));

        assertThat(session.context.cancel(RequestId.of(1))).isTrue();
        assertThat(call.get()).isFalse();
        hangUp.await();
        assertThat(session.events).isEmpty();
    }

    /** The timers repeat a timeout that found no memory. */
    @Test
    void aCancellationThatFoundNoMemoryIsMadeAgain() throws Exception {
        ScriptedServer server = connect((request, reply) -> hang(reply));
        FutureTask<?> call = new FutureTask<>(() -> call(1), null);
        Thread.ofPlatform().start(call);
        server.await(request -> request.calls("tools/call"));
        try (WithoutMemory log = new WithoutMemory()) {
            assertThatThrownBy(() -> session.context.cancel(RequestId.of(1)))
                    .isInstanceOf(OutOfMemoryError.class);
        }

        assertThat(session.context.cancel(RequestId.of(1))).isTrue();
        call.get();
        hangUp.await();
        assertThat(session.events).isEmpty();
    }

    /** A log that finds no memory for the end of an exchange. */
    private static final class WithoutMemory extends Handler implements AutoCloseable {
        private final Logger wire = Logger.getLogger("dev.fairlead.wire");
        private final Level before = wire.getLevel();

        WithoutMemory() {
            wire.setLevel(Level.FINER);
            wire.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().startsWith("closed")) {
                throw new OutOfMemoryError("of the test");
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            wire.removeHandler(this);
            wire.setLevel(before);
        }
    }
}
