package dev.fairlead.http.jetty;

import dev.fairlead.http.HttpServing;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.eclipse.jetty.http2.hpack.HpackException;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A connection of HTTP/2 without TLS whose every frame a test may choose. Used by one thread, but
 * for sending, which any may do.
 */
final class Http2Wire implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;

    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;
    static final int ENHANCE_YOUR_CALM = 11;

    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int LARGE = 1 << 20;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final HpackDecoder heads = new HpackDecoder(LARGE, () -> 0);
    private final Map<Integer, Received> streams = new HashMap<>();
    private int lastStream = -1;
    private int goAway = -1;
    private boolean reading = true;

    /** The received part of an answer; the code of its reset is -1 if it was not reset. */
    static final class Received {
        int status;
        int reset = -1;
        HttpFields headers = HttpFields.EMPTY;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean ended;

        String body() {
            return bytes.toString(StandardCharsets.UTF_8);
        }

        private boolean isOver() {
            return ended || reset >= 0;
        }
    }

    private record Frame(int type, int flags, int stream, byte[] payload) {}

    /**
     * @param window how many bytes of an answer the server may send without being asked for more
     * @param receiveBuffer of the socket; 0 for the usual one
     */
    Http2Wire(int port, int window, int receiveBuffer) throws IOException {
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1024));
        raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        ByteBuffer settings = ByteBuffer.allocate(6);
        frame(
                SETTINGS,
                0,
                0,
                settings.putShort((short) INITIAL_WINDOW_SIZE).putInt(window).array());
    }

    static Http2Wire to(HttpServing serving) throws IOException {
        return new Http2Wire(serving.port(), LARGE, 0);
    }

    private synchronized void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
        raw(frame.array());
    }

    /** A JSON POST with usual headers; those given come on top, or take away by an empty value. */
    int post(String body, String... headers) throws IOException {
        int stream = head("POST", headers);
        frame(DATA, END_STREAM, stream, body.getBytes(StandardCharsets.UTF_8));
        return stream;
    }

    int get(String... headers) throws IOException {
        int stream = nextStream();
        frame(HEADERS, END_STREAM | END_HEADERS, stream, fields("GET", headers));
        return stream;
    }

    /** The head of a request whose body is to follow. */
    int head(String method, String... headers) throws IOException {
        int stream = nextStream();
        frame(HEADERS, END_HEADERS, stream, fields(method, headers));
        return stream;
    }

    int nextStream() {
        lastStream += 2;
        return lastStream;
    }

    void reset(int stream) throws IOException {
        frame(RESET, 0, stream, number(CANCEL));
    }

    static byte[] number(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    /** A head, none of whose fields is compressed. */
    byte[] fields(String method, String... headers) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(":method", method);
        all.put(":scheme", "http");
        all.put(":path", "/mcp");
        all.put(":authority", "127.0.0.1:" + socket.getPort());
        all.put("accept", method.equals("GET") ? "text/event-stream" : Wire.BOTH);
        all.put("content-type", Wire.JSON);
        for (int i = 0; i < headers.length; i += 2) {
            if (headers[i + 1].isEmpty()) {
                all.remove(headers[i]);
            } else {
                all.put(headers[i].toLowerCase(Locale.ROOT), headers[i + 1]);
            }
        }
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        all.forEach((name, value) -> field(block, name, value));
        return block.toByteArray();
    }

    /** RFC 7541, 6.2.2: a literal field that is not to be remembered. */
    static void field(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        for (String text : new String[] {name, value}) {
            length(block, text.length());
            block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** RFC 7541, 5.1: seven bits, and then the rest in further bytes. */
    private static void length(ByteArrayOutputStream block, int length) {
        if (length < 127) {
            block.write(length);
            return;
        }
        block.write(127);
        int rest = length - 127;
        for (; rest >= 128; rest >>= 7) {
            block.write(rest & 127 | 128);
        }
        block.write(rest);
    }

    /** Returns the whole answer, or the received part if it was reset. */
    Received answer(int stream) throws IOException {
        Received received = received(stream);
        while (!received.isOver()) {
            take();
        }
        return received;
    }

    /** The status of an answer, whose body may still come; 0 where it was broken off before. */
    int status(int stream) throws IOException {
        Received received = received(stream);
        while (received.status == 0 && !received.isOver()) {
            take();
        }
        return received.status;
    }

    /** Reads on until an answer has this text in its body, and returns the body up to there. */
    String body(int stream, String text) throws IOException {
        Received received = received(stream);
        while (!received.body().contains(text)) {
            fail(received);
            take();
        }
        return received.body();
    }

    private static void fail(Received received) {
        if (received.isOver()) {
            throw new AssertionError(
                    received.status + " ended, reset " + received.reset + ": " + received.body());
        }
    }

    /** Reads on until the server ends the connection, and gives the reason that it has named. */
    int awaitEnd() throws IOException {
        try {
            while (true) {
                take();
            }
        } catch (EOFException | SocketException e) {
            return goAway;
        }
    }

    /** Stops sending window updates for bytes that were read. */
    void asksForNoMore() {
        reading = false;
    }

    private Received received(int stream) {
        return streams.computeIfAbsent(stream, key -> new Received());
    }

    private void take() throws IOException {
        Frame frame = next();
        Received received = received(frame.stream());
        switch (frame.type()) {
            case HEADERS -> head(received, frame);
            case DATA -> {
                received.bytes.writeBytes(frame.payload());
                more(frame);
            }
            case RESET -> received.reset = ByteBuffer.wrap(frame.payload()).getInt();
            case GOAWAY -> goAway = ByteBuffer.wrap(frame.payload()).getInt(4);
            case SETTINGS, PING -> {
                if ((frame.flags() & ACK) == 0) {
                    byte[] echo = frame.type() == PING ? frame.payload() : new byte[0];
                    reply(frame.type(), ACK, 0, echo);
                }
            }
            default -> {} // of windows, which are large enough
        }
        received.ended |= frame.type() <= HEADERS && (frame.flags() & END_STREAM) != 0;
    }

    private Frame next() throws IOException {
        int start = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[start >>> 8];
        in.readFully(payload);
        return new Frame(start & 0xFF, flags, stream, payload);
    }

    private void head(Received received, Frame frame) throws IOException {
        try {
            MetaData head = heads.decode(ByteBuffer.wrap(frame.payload()));
            if (head instanceof MetaData.Response response) {
                received.status = response.getStatus();
                received.headers = response.getHttpFields();
            }
        } catch (HpackException e) {
            throw new IOException(e);
        }
    }

    /** Lets the server send as many bytes again, to the stream and over the connection. */
    private void more(Frame data) {
        if (reading && data.payload().length > 0) {
            byte[] taken = number(data.payload().length);
            reply(WINDOW_UPDATE, 0, 0, taken);
            reply(WINDOW_UPDATE, 0, data.stream(), taken);
        }
    }

    /** Answers a frame. If the server has closed the connection, its bytes are still read. */
    private void reply(int type, int flags, int stream, byte[] payload) {
        try {
            frame(type, flags, stream, payload);
        } catch (IOException e) {
            // it is of no use any more
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
