package dev.fairlead.http.client;

import dev.fairlead.protocol.time.Uninterruptibly;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * An HTTP server on a socket that follows the script of a test exactly, even against the rules of
 * HTTP.
 */
final class ScriptedServer implements AutoCloseable {
    /** Answers one HTTP request, on the thread of its TCP connection; may take its time. */
    @FunctionalInterface
    interface Script {
        void answer(Received request, Reply reply) throws Exception;
    }

    private final Socket reserved = new Socket();
    private final ServerSocket listener = new ServerSocket();
    private final Script script;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final Thread acceptor;
    private volatile boolean closed;

    ScriptedServer(Script script) throws IOException {
        this.script = script;
        reserved.setReuseAddress(true);
        reserved.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        listener.setReuseAddress(true);
        listener.bind(reserved.getLocalSocketAddress(), 100);
        acceptor = Thread.ofVirtual().start(this::accept);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + reserved.getLocalPort() + "/mcp");
    }

    /** All HTTP requests so far. */
    List<Received> received() {
        return List.copyOf(received);
    }

    /** Waits until a request like this has come. */
    Received await(Predicate<Received> wanted) throws InterruptedException {
        return await(wanted, 1);
    }

    /** Waits until so many requests like this have come, and gives the last of them. */
    Received await(Predicate<Received> wanted, int count) throws InterruptedException {
        long left = TimeUnit.SECONDS.toNanos(60);
        lock.lock();
        try {
            while (true) {
                List<Received> found = received.stream().filter(wanted).toList();
                if (found.size() >= count) {
                    return found.get(count - 1);
                }
                if (left <= 0) {
                    throw new AssertionError("no such request came; those that did: " + received);
                }
                left = arrived.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many TCP connections there have been. */
    int connections() {
        return connections.get();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (true) {
                Received request = read(in);
                arrived(request);
                Reply reply = new Reply(socket);
                script.answer(request, reply);
                if (!reply.finish()) {
                    return;
                }
            }
        } catch (IOException e) {
            // the client has gone
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            sockets.remove(socket);
        }
    }

    private void arrived(Received request) {
        lock.lock();
        try {
            received.add(request);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static Received read(InputStream in) throws IOException {
        String[] first = line(in).split(" ");
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Received(first[0], first[1], headers, body);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** Ends all connections; its port stays taken and refuses others until this is closed. */
    void stop() throws IOException {
        closed = true;
        listener.close();
        // until then the port may take one more connection
        Uninterruptibly.await(acceptor::join);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        stop();
        reserved.close();
    }

    /** An HTTP request as it came. */
    record Received(String method, String target, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.get(name);
        }

        /** Whether this is a POST whose message has this method. */
        boolean calls(String rpcMethod) {
            return method.equals("POST") && body.contains("\"method\":\"" + rpcMethod + "\"");
        }

        boolean is(String httpMethod) {
            return method.equals(httpMethod);
        }
    }

    /** The answer to one HTTP request. */
    static final class Reply {
        private final Socket socket;
        private final OutputStream out;
        private final ReentrantLock writing = new ReentrantLock();
        private boolean chunked;
        private boolean answered;

        private Reply(Socket socket) throws IOException {
            this.socket = socket;
            out = socket.getOutputStream();
        }

        /** Status and headers, given as whole lines, and a body. */
        void answer(int status, String body, String... headers) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            head(status, headers, "Content-Length: " + bytes.length);
            out.write(bytes);
            out.flush();
        }

        void json(String body, String... headers) throws IOException {
            json(200, body, headers);
        }

        void json(int status, String body, String... headers) throws IOException {
            String[] all = java.util.Arrays.copyOf(headers, headers.length + 1);
            all[headers.length] = "Content-Type: application/json";
            answer(status, body, all);
        }

        void accepted() throws IOException {
            answer(202, "");
        }

        /** Begins an event stream, which ends when the script does. */
        Reply stream(String... headers) throws IOException {
            chunked = true;
            String[] all = java.util.Arrays.copyOf(headers, headers.length + 1);
            all[headers.length] = "Content-Type: text/event-stream";
            head(200, all, "Transfer-Encoding: chunked");
            return this;
        }

        /** A piece of the stream, with a line feed after each line. */
        Reply lines(String... lines) throws IOException {
            return piece((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }

        /** An event with a message. */
        Reply event(String json) throws IOException {
            return lines("data: " + json, "");
        }

        /** A chunk, in one write: its reader may cause the next at once. */
        Reply piece(byte[] bytes) throws IOException {
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            chunk.writeBytes(ascii(Integer.toHexString(bytes.length) + "\r\n"));
            chunk.writeBytes(bytes);
            chunk.writeBytes(ascii("\r\n"));
            write(chunk.toByteArray());
            return this;
        }

        private void write(byte[] bytes) throws IOException {
            writing.lock(); // also other threads may send pieces
            try {
                out.write(bytes);
                out.flush();
            } finally {
                writing.unlock();
            }
        }

        /** Sends text as it is, against the rules of HTTP. */
        Reply raw(String text) throws IOException {
            answered = true;
            write(ascii(text));
            return this;
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }

        /** Ends the connection in the middle; bytes sent before arrive. */
        void end() throws IOException {
            socket.close();
        }

        /** Tears the connection down in the middle. */
        void cut() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /** Waits until the client has closed the connection. */
        void awaitHangUp() throws IOException {
            try {
                while (socket.getInputStream().read() >= 0) {}
            } catch (IOException e) {
                // so it did
            }
        }

        private void head(int status, String[] headers, String length) throws IOException {
            answered = true;
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            head.append(length).append("\r\n\r\n");
            out.write(head.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** Ends the answer; false if the connection cannot be used again. */
        private boolean finish() throws IOException {
            if (socket.isClosed() || !answered) {
                return false;
            }
            if (chunked) {
                write(ascii("0\r\n\r\n"));
            }
            return true;
        }
    }
}
