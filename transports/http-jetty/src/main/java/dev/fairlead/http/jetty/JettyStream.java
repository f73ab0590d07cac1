package dev.fairlead.http.jetty;

import dev.fairlead.http.spi.ResponseStream;

import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.IdleTimeout;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** A response of Jetty that is written piece by piece, asynchronously. */
final class JettyStream implements ResponseStream {
    private final EndPoint connection;
    private final boolean shared;
    private final Response response;
    private final Callback callback;
    private final AtomicBoolean completed = new AtomicBoolean();

    JettyStream(Request request, Response response, Callback callback) {
        this.connection = connection(request);
        this.shared = JettyExchange.isHttp2(request);
        this.response = response;
        this.callback = callback;
    }

    private static EndPoint connection(Request request) {
        return request.getConnectionMetaData().getConnection().getEndPoint();
    }

    /**
     * Gives a write over HTTP/1.1 the whole idle timeout. Jetty counts from the bytes sent before
     * it, and fails a write that begins just when a silent connection times out. A connection of
     * HTTP/2 has many writes, of which none may hide that the client reads nothing.
     */
    static void beginWrite(Request request) {
        beginWrite(connection(request), JettyExchange.isHttp2(request));
    }

    private static void beginWrite(EndPoint connection, boolean shared) {
        if (!shared && connection instanceof IdleTimeout idle) {
            idle.notIdle();
        }
    }

    @Override
    public void write(ByteBuffer bytes, Completion completion) {
        beginWrite(connection, shared);
        response.write(false, bytes, Callback.from(() -> completion.done(null), completion::done));
    }

    @Override
    public void end() {
        if (completed.compareAndSet(false, true)) {
            response.write(true, ByteBuffer.allocate(0), callback);
        }
    }

    @Override
    public void abort() {
        if (completed.compareAndSet(false, true)) {
            IOException cause = new IOException("the response was broken off");
            if (!shared) {
                connection.close(cause);
            }
            callback.failed(cause);
        }
    }
}
