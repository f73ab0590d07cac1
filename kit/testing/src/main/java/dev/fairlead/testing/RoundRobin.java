package dev.fairlead.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load balancer that sends each request to the next of several servers and knows nothing of
 * sessions: a test of nodes that share a database has its client connect here. A server that
 * refuses the connection is passed over. It supports HTTP/1.1 only, listens on the loopback
 * interface, and closes each connection of a client after one exchange. Thread-safe.
 */
public final class RoundRobin implements AutoCloseable {
    private final InetAddress loopback = InetAddress.getByName("127.0.0.1");
    private final ServerSocket listener = new ServerSocket(0, 1024, loopback);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next = new AtomicInteger();
    private volatile List<Integer> targets;

    /**
     * Opens a balancer on a free port.
     *
     * @param targets the ports of the servers, on the loopback interface; the first request goes to
     *     the first
     */
    public RoundRobin(int... targets) throws IOException {
        this.targets = Arrays.stream(targets).boxed().toList();
        Thread.ofVirtual().name("round-robin").start(this::accept);
    }

    /** Replaces the servers. */
    public void targets(int... ports) {
        targets = Arrays.stream(ports).boxed().toList();
    }

    /** Returns the URI of the servers through this balancer, if their endpoint has that path. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + port() + "/mcp");
    }

    /** Returns the port of this balancer. */
    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().name("round-robin-exchange").start(() -> exchange(client));
            }
        } catch (IOException e) {
            open.forEach(RoundRobin::close); // this is closed
        }
    }

    private void exchange(Socket client) {
        open.add(client);
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            byte[] request = request(in);
            try (Socket server = connect()) {
                open.add(server);
                server.getOutputStream().write(request);
                Thread.ofVirtual().name("round-robin-left").start(() -> awaitEnd(in, server));
                pass(server, client);
                open.remove(server);
            }
        } catch (IOException e) { // one of the two has gone
            close(client);
        } finally {
            open.remove(client);
        }
    }

    /** Ends an exchange whose client leaves. */
    private static void awaitEnd(InputStream client, Socket server) {
        try {
            client.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // it has left as well
        }
        close(server);
    }

    private Socket connect() throws IOException {
        List<Integer> ports = targets;
        IOException failure = new IOException("there is no server");
        int first = next.getAndIncrement(); // others go on meanwhile, but each server gets its try
        for (int i = 0; i < ports.size(); i++) {
            try {
                int port = ports.get(Math.floorMod(first + i, ports.size()));
                Socket server = new Socket(loopback, port);
                server.setTcpNoDelay(true);
                return server;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    /** Reads a request, whose connection to the server is to end with the answer. */
    private static byte[] request(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder(line(in));
        int length = 0;
        for (String field = line(in); !field.isBlank(); field = line(in)) {
            String name = field.toLowerCase(Locale.ROOT);
            if (name.startsWith("content-length:")) {
                length = Integer.parseInt(name.substring(15).strip());
            }
            if (!name.startsWith("connection:")) {
                head.append(field);
            }
        }
        byte[] start = head.append("Connection: close\r\n\r\n").toString().getBytes(ISO_8859_1);
        byte[] request = Arrays.copyOf(start, start.length + length);
        if (in.readNBytes(request, start.length, length) < length) {
            throw new EOFException();
        }
        return request;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int b;
        do {
            b = in.read();
            if (b < 0) {
                throw new EOFException();
            }
            line.append((char) b);
        } while (b != '\n');
        return line.toString();
    }

    private static void pass(Socket server, Socket client) throws IOException {
        client.setTcpNoDelay(true);
        server.getInputStream().transferTo(client.getOutputStream());
        client.shutdownOutput();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing more can be done for it
        }
    }

    /** Closes the balancer with all connections, and frees its port. */
    @Override
    public void close() throws IOException {
        listener.close();
        open.forEach(RoundRobin::close);
    }
}
