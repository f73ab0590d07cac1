package dev.fairlead.proofs.attack;

import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection of a client that sends any bytes from a loopback address of its own. */
final class Caller implements AutoCloseable {
    private static final int PATIENCE = 60_000;

    private final Socket socket = new Socket();

    /**
     * @param address the last number of the address: 2 for 127.0.0.2
     */
    Caller(int port, int address) throws IOException {
        socket.setReceiveBufferSize(4 << 10); // an answer that is not read stays with the server
        socket.setSoLinger(true, 0);
        socket.bind(new InetSocketAddress(loopback(address), 0));
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        socket.setSoTimeout(PATIENCE);
    }

    static InetAddress loopback(int address) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) address});
    }

    /** Sends a POST without reading its answer. */
    Caller send(String session, String body) throws IOException {
        String head =
                "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json,"
                        + " text/event-stream\r\nContent-Type: application/json\r\n"
                        + (session.isEmpty() ? "" : "MCP-Session-Id: " + session + "\r\n")
                        + "Content-Length: "
                        + body.length()
                        + "\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
        return this;
    }

    /** Waits until the first byte of an answer comes, or the end of the connection. */
    void awaitAnswer() throws IOException {
        socket.getInputStream().read();
    }

    HttpAnswer answer() throws IOException {
        return HttpAnswer.read(new BufferedInputStream(socket.getInputStream()), true);
    }

    HttpAnswer post(String session, String body) throws IOException {
        return send(session, body).answer();
    }

    /** A session of a well-behaved client at this address that calls a tool. */
    static HttpAnswer works(int port, int address) throws IOException {
        RawSession session = RawSession.open(port, loopback(address));
        return session.post(RawSession.call(1, "small"));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
