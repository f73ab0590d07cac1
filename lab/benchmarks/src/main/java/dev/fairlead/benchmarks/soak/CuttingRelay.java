package dev.fairlead.benchmarks.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes the bytes between clients and a server, and cuts each connection at random: after some
 * bytes of one direction, whatever they are part of, by a reset or an orderly end. Unlike {@link
 * dev.fairlead.testing.CuttingProxy} it spares no requests and no answers.
 */
final class CuttingRelay implements AutoCloseable {
    /** The most bytes of a direction that pass; a call is about 1,500 bytes each way. */
    private static final int LONGEST = 60_000;

    private final InetAddress loopback = InetAddress.getByName("127.0.0.1");
    private final ServerSocket listener = new ServerSocket(0, 1024, loopback);
    private final Set<Pair> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cuts = new AtomicInteger();
    private final int target;
    private final long seed;

    /** The two ends of a connection. */
    private record Pair(Socket client, Socket server, boolean resets, AtomicBoolean ended) {}

    CuttingRelay(int target, long seed) throws IOException {
        this.target = target;
        this.seed = seed;
        Thread.ofVirtual().name("relay").start(this::accept);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/mcp");
    }

    int cuts() {
        return cuts.get();
    }

    private void accept() {
        try {
            for (int i = 0; ; i++) {
                Random random = new Random(seed * 31 + i);
                Socket client = listener.accept();
                Socket server = new Socket(loopback, target);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                Pair pair = new Pair(client, server, random.nextBoolean(), new AtomicBoolean());
                open.add(pair);
                int up = random.nextInt(LONGEST);
                int down = random.nextInt(LONGEST);
                Thread.ofVirtual().name("relay-up").start(() -> pass(pair, client, server, up));
                Thread.ofVirtual().name("relay-down").start(() -> pass(pair, server, client, down));
            }
        } catch (IOException e) {
            // closed
        }
    }

    /** Passes bytes on until the connection ends, or so many have passed. */
    private void pass(Pair pair, Socket from, Socket to, int most) {
        byte[] buffer = new byte[4 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int left = most; left > 0; ) {
                int read = in.read(buffer, 0, Math.min(left, buffer.length));
                if (read < 0) {
                    end(pair, false);
                    return;
                }
                out.write(buffer, 0, read);
                left -= read;
            }
            cuts.incrementAndGet();
            end(pair, pair.resets());
        } catch (IOException e) {
            end(pair, true);
        }
    }

    private void end(Pair pair, boolean resets) {
        if (pair.ended().compareAndSet(false, true)) {
            open.remove(pair);
            for (Socket socket : new Socket[] {pair.client(), pair.server()}) {
                try (socket) {
                    if (resets) {
                        socket.setSoLinger(true, 0);
                    }
                } catch (IOException e) {
                    // closed already
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        open.forEach(pair -> end(pair, true));
    }
}
