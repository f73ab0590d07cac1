package dev.fairlead.stdio;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A client's side that keeps the messages that it receives. */
final class Peer implements SessionHost, Session {
    final BlockingQueue<JsonRpcMessage> received = new LinkedBlockingQueue<>();
    final CountDownLatch closed = new CountDownLatch(1);
    volatile SessionContext context;
    volatile ConnectionException cause;

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
    public void fail(RequestId request, CallException why) {}

    @Override
    public Optional<Revision> revision() {
        return Optional.of(Revision.V2025_11_25);
    }

    @Override
    public void lost(ConnectionException why) {
        cause = why;
        close();
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
