package dev.fairlead.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on to a port of this machine, until they are cut without anybody noticing. */
final class HalfOpenProxy implements AutoCloseable {
    private final int target;
    private final Step before;
    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile Object generation = new Object();

    HalfOpenProxy(int target) throws IOException {
        this(target, () -> {});
    }

    /** A proxy that takes this step between a connection and its first byte. */
    HalfOpenProxy(int target, Step before) throws IOException {
        this.target = target;
        this.before = before;
        this.server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Thread.ofVirtual().start(this::accept);
    }

    /** A step that may block. */
    interface Step {
        void take() throws InterruptedException;
    }

    int port() {
        return server.getLocalPort();
    }

    /** Lets nothing through any more on the open connections; they stay open. */
    void cut() {
        generation = new Object();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                before.take();
                Socket far = new Socket("127.0.0.1", target);
                sockets.addAll(List.of(near, far));
                Object since = generation;
                Thread.ofVirtual().start(() -> pass(near, far, since));
                Thread.ofVirtual().start(() -> pass(far, near, since));
            }
        } catch (IOException | InterruptedException closed) {
            // the test is over
        }
    }

    private void pass(Socket from, Socket to, Object since) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8_192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (since == generation) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException closed) {
            // whoever is at the other end is not told
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
