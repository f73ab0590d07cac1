package dev.fairlead.testing;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps received messages and answers none; the context lets a test send. */
final class SilentHost implements SessionHost, Session {
    private final BlockingQueue<JsonRpcMessage> received = new LinkedBlockingQueue<>();
    private final AtomicInteger closings = new AtomicInteger();
    private volatile @Nullable SessionContext context;

    SessionContext context() {
        return Objects.requireNonNull(context, "no session was opened");
    }

    JsonRpcMessage next() throws InterruptedException {
        return Objects.requireNonNull(received.poll(60, TimeUnit.SECONDS), "nothing came");
    }

    int closings() {
        return closings.get();
    }

    @Override
    public Session open(SessionContext opened) {
        context = opened;
        return this;
    }

    @Override
    public void accept(JsonRpcMessage message, Exchange exchange) {
        received.add(message);
    }

    @Override
    public void fail(RequestId request, CallException cause) {}

    @Override
    public Optional<Revision> revision() {
        return Optional.of(Revision.NEWEST_WITH_HANDSHAKE);
    }

    @Override
    public void close() {
        closings.incrementAndGet();
    }
}
