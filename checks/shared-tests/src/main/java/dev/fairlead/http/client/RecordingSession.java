package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionExpiredException;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The session of a client that records received messages, and sends messages of a test. */
final class RecordingSession implements Session, AutoCloseable {
    /** The events that the transport delivered, in order. */
    sealed interface Event {}

    record Accepted(String json) implements Event {}

    record Failed(RequestId id, CallException cause) implements Event {}

    record Expired(String message) implements Event {}

    final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    final BlockingQueue<Boolean> held = new LinkedBlockingQueue<>();
    final Semaphore unreachable = new Semaphore(0);
    final CountDownLatch closed = new CountDownLatch(1);
    final CompletableFuture<ConnectionException> lost = new CompletableFuture<>();
    final SessionContext context;
    volatile Revision revision;
    volatile Exchange lastExchange;
    private Link link;

    private RecordingSession(SessionContext context) {
        this.context = context;
    }

    static RecordingSession connect(Remote connector) {
        RecordingSession[] opened = new RecordingSession[1];
        try {
            Link link =
                    connector.connect(
                            context -> {
                                opened[0] = new RecordingSession(context);
                                return opened[0];
                            });
            opened[0].link = link;
            return opened[0];
        } catch (IOException | InterruptedException e) { // HTTP connects with the first message
            throw new AssertionError(e);
        }
    }

    /** Connects and shakes hands. */
    static RecordingSession initialized(Remote connector) throws InterruptedException {
        RecordingSession session = connect(connector);
        session.send("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{}}");
        assertThat(session.next()).isInstanceOf(Accepted.class);
        session.revision = Revision.NEWEST_WITH_HANDSHAKE;
        session.send("{'jsonrpc':'2.0','method':'notifications/initialized'}");
        return session;
    }

    /** Sends a message, in which apostrophes stand for quotation marks. */
    void send(String json) {
        context.send(JsonRpcMessage.parse(json.replace('\'', '"')));
    }

    void call(long id, String method) {
        send("{'jsonrpc':'2.0','id':" + id + ",'method':'" + method + "'}");
    }

    void cancel(long id) {
        send(
                "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':"
                        + id
                        + "}}");
    }

    Link link() {
        return link;
    }

    /** Waits for the next event of the transport. */
    Event next() throws InterruptedException {
        Event event = events.poll(60, TimeUnit.SECONDS);
        assertThat(event).as("an event of the transport").isNotNull();
        return event;
    }

    /** Waits for a failure and gives its cause. */
    CallException nextFailure(long id) throws InterruptedException {
        Event event = next();
        assertThat(event).isInstanceOf(Failed.class);
        assertThat(((Failed) event).id()).isEqualTo(RequestId.of(id));
        return ((Failed) event).cause();
    }

    /** Waits for a message and compares it; apostrophes stand for quotation marks. */
    void expect(String json) throws InterruptedException {
        assertThat(next()).isEqualTo(new Accepted(json.replace('\'', '"')));
    }

    @Override
    public void accept(JsonRpcMessage message, Exchange exchange) {
        lastExchange = exchange;
        events.add(new Accepted(message.toJson()));
    }

    @Override
    public void fail(RequestId request, CallException cause) {
        events.add(new Failed(request, cause));
    }

    @Override
    public void pauseTimeout(RequestId request) {
        held.add(true);
    }

    @Override
    public void resumeTimeout(RequestId request) {
        held.add(false);
    }

    @Override
    public void unreachable() {
        unreachable.release();
    }

    @Override
    public void expired(SessionExpiredException cause) {
        events.add(new Expired(cause.getMessage()));
    }

    @Override
    public void lost(ConnectionException cause) {
        lost.complete(cause);
        close();
    }

    @Override
    public Optional<Revision> revision() {
        return Optional.ofNullable(revision);
    }

    /**
     * Reports that the transport has closed the session, or closes the connection from the test.
     */
    @Override
    public void close() {
        closed.countDown();
        link.close();
    }
}
