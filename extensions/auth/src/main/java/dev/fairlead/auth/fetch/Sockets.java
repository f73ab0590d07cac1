package dev.fairlead.auth.fetch;

import org.apache.hc.client5.http.io.DetachedSocketFactory;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/**
 * The sockets of one fetch. Closing them ends the fetch in any state of its thread: a thread that
 * always finds bytes to read never looks whether it was interrupted. Safe for use by several
 * threads.
 */
final class Sockets implements DetachedSocketFactory, Closeable {
    private final DetachedSocketFactory factory;
    private final List<Socket> open = new ArrayList<>();
    private boolean closed;

    Sockets(DetachedSocketFactory factory) {
        this.factory = factory;
    }

    @Override
    public Socket create(@Nullable Proxy proxy) throws IOException {
        Socket socket = factory.create(proxy);
        synchronized (open) {
            if (!closed) {
                open.add(socket);
                return socket;
            }
        }
        socket.close();
        throw new SocketException("the fetch has ended");
    }

    @Override
    public void close() {
        List<Socket> last;
        synchronized (open) {
            closed = true;
            last = List.copyOf(open);
            open.clear();
        }
        for (Socket socket : last) {
            try {
                socket.close();
            } catch (IOException e) {
                continue; // it is of no use any more
            }
        }
    }
}
