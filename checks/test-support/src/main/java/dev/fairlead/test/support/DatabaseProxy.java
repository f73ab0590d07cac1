package dev.fairlead.test.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between a server and its database: breaks all connections at once, or lets nothing pass
 * for a while, as a database does whose machine is frozen. Listens on the loopback interface.
 */
public final class DatabaseProxy implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final ServerSocket listener = new ServerSocket(0, 256, InetAddress.getByName(LOOPBACK));
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final int target;
    private final AtomicReference<String> cutAt = new AtomicReference<>("");
    private volatile CountDownLatch passing = new CountDownLatch(0);
    private volatile boolean away;

    public DatabaseProxy(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().name("database-proxy").start(this::accept);
    }

    /** The URL of a database through here. */
    public String through(String url) {
        return url.replace(":" + target + "/", ":" + listener.getLocalPort() + "/");
    }

    /** Breaks all connections; new ones pass. */
    public void cut() {
        for (Socket socket : sockets) {
            sockets.remove(socket);
            reset(socket);
        }
    }

    /** Breaks all connections, and new ones too until {@link #resume}. */
    public void refuse() {
        away = true;
        cut();
    }

    /** Breaks all connections, once, instead of passing something that has this in it. */
    public void cutAt(String text) {
        cutAt.set(text);
    }

    /** Whether that has happened. */
    public boolean hasCut() {
        return cutAt.get().isEmpty();
    }

    /** From now on nothing passes, and nothing is lost either. */
    public void silence() {
        passing = new CountDownLatch(1);
    }

    /** Lets everything pass again, also the bytes that came meanwhile. */
    public void resume() {
        away = false;
        passing.countDown();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listener.accept();
                Thread.ofVirtual().name("database-proxy").start(() -> join(near));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void join(Socket near) {
        try {
            passing.await();
            if (away) {
                throw new IOException("the database is away");
            }
            Socket far = new Socket(LOOPBACK, target);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            sockets.add(near);
            sockets.add(far);
            Thread.ofVirtual().name("database-proxy-up").start(() -> pass(near, far, true));
            pass(far, near, false);
        } catch (IOException e) {
            reset(near);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(Socket from, Socket to, boolean up) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[16_384];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                passing.await();
                if (up && isToCut(buffer, read)) {
                    cut();
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // cut, or closed by one side
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(from);
            sockets.remove(to);
            reset(from);
            reset(to);
        }
    }

    private boolean isToCut(byte[] bytes, int length) {
        String text = cutAt.get();
        return !text.isEmpty()
                && new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(text)
                && cutAt.compareAndSet(text, "");
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // closed already
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        resume();
        cut();
    }
}
