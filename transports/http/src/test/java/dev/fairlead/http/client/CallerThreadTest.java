package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.result;

import static org.assertj.core.api.Assertions.assertThat;

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
    private void call(String meta) {
        String json =
                "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'x'" + meta + "}}";
        JsonRpcMessage message = JsonRpcMessage.parse(json.replace('\'', '"'));
        session.context.call((JsonRpcRequest) message, Map.of(), true);
    }

    private void callPerRequest() {
        call(",'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}");
    }

    private void hang(ScriptedServer.Reply reply) throws IOException {
        reply.awaitHangUp();
        hangUp.countDown();
    }

    @Test
    void anAnswerOfJsonNeedsNoOtherThread() throws Exception {
        connect((request, reply) -> reply.json(result(1)));
        callPerRequest(); // looks the name up, and watches over the kept connection
        session.expect(RESULT);
        int before = threads.size();

        callPerRequest();
        assertThat(session.events).hasSize(1);
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

        callPerRequest();
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
                            callPerRequest();
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
                            callPerRequest();
                            return Thread.currentThread().isInterrupted();
                        });
        Thread.ofPlatform().start(call);
        server.await(request -> request.calls("tools/call"));

        assertThat(session.context.cancel(RequestId.of(1))).isTrue();
        assertThat(call.get()).isFalse();
        hangUp.await();
        assertThat(session.events).isEmpty();
    }
}
