package dev.fairlead.protocol.engine;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The other side of the connection under test, which keeps received messages. */
class Peer implements SessionContext, Exchange {
    final BlockingQueue<JsonRpcMessage> received = new LinkedBlockingQueue<>();
    final BlockingQueue<RequestId> abandoned = new LinkedBlockingQueue<>();
    volatile boolean gone;
    volatile boolean broken;

    @Override
    public void send(JsonRpcMessage message) {
        if (gone) {
            throw new ConnectionException("the peer is gone");
        }
        if (broken) {
            throw new IllegalStateException("a bug of the transport");
        }
        received.add(message);
    }

    @Override
    public void abandon(RequestId request) {
        abandoned.add(request);
    }

    @Override
    public Caller caller() {
        return Caller.anonymous();
    }

    @Override
    public String transport() {
        return "test";
    }

    @Override
    public void close() {
        gone = true;
    }

    /** The next message that arrives here. */
    String next() throws InterruptedException {
        JsonRpcMessage message = received.poll(60, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("nothing came");
        }
        return message.toJson();
    }
}
