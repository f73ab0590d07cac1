package dev.fairlead.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between an HTTP client and its server that breaks event streams off at random bytes, as a
 * bad network does. Requests, and answers that are not streams, pass unharmed; and so do the first
 * events of a stream, one by default, since no client could resume a stream without events;
 * comments are not events. It supports HTTP/1.1 only, and listens on the loopback interface.
 * Thread-safe.
 */
public final class CuttingProxy implements AutoCloseable {
    private final InetAddress loopback = InetAddress.getByName("127.0.0.1");

    private final ServerSocket listener = new ServerSocket(0, 1024, loopback);
    private final Set<Pair> streams = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cuts = new AtomicInteger();
    private final int target;
    private final long seed;
    private final int longest;
    private volatile int unharmed = 1;
    private volatile int cutAt = -1;
    private volatile boolean down;

    /**
     * The two ends of a connection through the proxy, and the number of directions that have ended.
     */
    private record Pair(Socket client, Socket server, AtomicInteger ended) {
        /** Closes both ends once no more bytes can pass. */
        void endDirection() {
            if (ended.incrementAndGet() == 2) {
                close(client);
                close(server);
            }
        }

        void cut() {
            reset(client);
            reset(server);
        }

        /**
         * Ends the stream; unlike after {@link #cut}, forwarded bytes arrive, which a reset could
         * overtake.
         */
        void end() {
            close(client);
            reset(server);
        }
    }

    /**
     * Opens a proxy on a free port.
     *
     * @param target the port of the server, on the loopback interface
     * @param seed determines the places of the cuts
     * @param longest how many bytes of a stream pass at most before it is cut; 0 cuts none
     */
    public CuttingProxy(int target, long seed, int longest) throws IOException {
        this.target = target;
        this.seed = seed;
        this.longest = longest;
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    /** Returns the URI of the server through this proxy, if its endpoint has the default path. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/mcp");
    }

    /** Returns how many streams have broken off so far. */
    public int cuts() {
        return cuts.get();
    }

    /** Cuts every stream, and lets no request pass from now on. */
    public void down() {
        down = true;
        streams.forEach(Pair::cut);
    }

    /** Lets requests pass again. */
    public void up() {
        down = false;
    }

    /** Cuts each later stream at this byte after a number of whole events. */
    public void cutAt(int events, int bytes) {
        unharmed = events;
        cutAt = bytes;
    }

    /** Cuts all streams, and from now on each stream before a whole event has passed. */
    public void starve() {
        cutAt(0, 10);
        streams.forEach(Pair::cut);
    }

    private void accept() {
        try {
            for (int i = 0; ; i++) {
                Socket client = listener.accept();
                if (down) {
                    reset(client);
                    continue;
                }
                Pair pair = new Pair(client, new Socket(loopback, target), new AtomicInteger());
                pair.client().setTcpNoDelay(true);
                pair.server().setTcpNoDelay(true);
                Random random = new Random(seed * 31 + i);
                Thread.ofVirtual().name("proxy-up").start(() -> up(pair));
                Thread.ofVirtual().name("proxy-down").start(() -> down(pair, random));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void up(Pair pair) {
        try {
            pair.client().getInputStream().transferTo(pair.server().getOutputStream());
            pair.server().shutdownOutput();
            pair.endDirection();
        } catch (IOException e) {
            pair.cut();
        }
    }

    private void down(Pair pair, Random random) {
        try {
            InputStream in = new BufferedInputStream(pair.server().getInputStream());
            OutputStream out = new BufferedOutputStream(pair.client().getOutputStream());
            for (String head = line(in, out); !head.isEmpty(); head = line(in, out)) {
                boolean stream = false;
                boolean chunked = false;
                int length = 0;
                for (String header = line(in, out).toLowerCase(Locale.ROOT);
                        !header.isBlank();
                        header = line(in, out).toLowerCase(Locale.ROOT)) {
                    stream |= header.startsWith("content-type: text/event-stream");
                    chunked |= header.startsWith("transfer-encoding: chunked");
                    if (header.startsWith("content-length: ")) {
                        length = Integer.parseInt(header.substring(16).strip());
                    }
                }
                if (stream && chunked) {
                    stream(pair, random, in, out);
                } else {
                    out.write(in.readNBytes(length));
                }
                out.flush();
            }
            pair.client().shutdownOutput();
            pair.endDirection();
        } catch (IOException e) {
            pair.end();
        }
    }

    private void stream(Pair pair, Random random, InputStream in, OutputStream out)
            throws IOException {
        streams.add(pair);
        try {
            if (down) {
                throw new IOException("down");
            }
            out.flush();
            Budget budget = budget(random);
            for (int size = chunk(in, out); ; size = chunk(in, out)) {
                for (int i = 0; i < size + 2; i++) {
                    if (in.available() == 0) {
                        out.flush(); // the end of a chunk may come with the next one
                    }
                    int b = in.read();
                    if (b < 0 || budget.isSpent(b)) {
                        out.flush();
                        throw new IOException("cut");
                    }
                    out.write(b);
                }
                if (size == 0) {
                    return;
                }
            }
        } catch (IOException e) {
            cuts.incrementAndGet();
            throw e;
        } finally {
            streams.remove(pair);
        }
    }

    private Budget budget(Random random) {
        if (cutAt >= 0) {
            return new Budget(unharmed, cutAt);
        }
        return new Budget(unharmed, longest == 0 ? Long.MAX_VALUE : random.nextInt(longest));
    }

    private static int chunk(InputStream in, OutputStream out) throws IOException {
        if (in.available() == 0) {
            out.flush();
        }
        String size = line(in, out).strip();
        if (size.isEmpty()) { // the server has closed the connection
            throw new EOFException();
        }
        return Integer.parseInt(size, 16);
    }

    /** Counts the bytes that may still pass, from the end of the events that pass unharmed. */
    private static final class Budget {
        private int events;
        private long left;
        private int before = '\n';

        /** Whether the current event has lines other than comments. */
        private boolean begun;

        Budget(int events, long left) {
            this.events = events;
            this.left = left;
        }

        boolean isSpent(int b) {
            boolean spent = events == 0 && left-- <= 0;
            if (events > 0 && before == '\n') {
                if (b != '\n') {
                    begun |= b != ':';
                } else if (begun) {
                    events--;
                    begun = false;
                }
            }
            before = b;
            return spent;
        }
    }

    /** Forwards a line; returns an empty one at the end. */
    private static String line(InputStream in, OutputStream out) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            line.append((char) b);
            if (b == '\n') {
                break;
            }
        }
        out.write(line.toString().getBytes(StandardCharsets.ISO_8859_1));
        return line.toString();
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // closed already
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing more can be done for it
        }
    }

    /** Closes the proxy with all connections, and frees its port. */
    @Override
    public void close() throws IOException {
        listener.close();
        down();
    }
}
