package dev.fairlead.stdio;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.protocol.pipe.BufferedTransport;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** One message on each line. Messages that are sent one after the other leave in one write. */
final class LineTransport implements BufferedTransport {
    /** The bytes of a malformed line that are kept for the log. */
    private static final int MAX_EXCERPT = 200;

    private final LineReader in;
    private final OutputStream out;
    private final @Nullable OutputStream direct;
    private final Closeable release;
    private final byte[] buffer = new byte[64 << 10]; // of the thread that writes
    private int held;
    private volatile boolean closed;

    LineTransport(LineReader in, OutputStream out, Closeable release) {
        this(in, out, null, release);
    }

    /**
     * Creates a transport whose input and output may be used by threads that run handlers.
     *
     * @param direct leads to the same place as {@code out} and cannot be interrupted; null if there
     *     is no such stream, or the input can be interrupted
     */
    LineTransport(
            LineReader in, OutputStream out, @Nullable OutputStream direct, Closeable release) {
        this.in = in;
        this.out = out;
        this.direct = direct;
        this.release = release;
    }

    @Override
    public @Nullable JsonRpcMessage receive() throws IOException {
        byte[] line;
        try {
            line = in.next();
        } catch (IOException e) {
            if (closed) {
                return null;
            }
            throw e;
        }
        return line == null ? null : parsed(line);
    }

    private static JsonRpcMessage parsed(byte[] line) {
        try {
            return JsonRpcMessage.parse(line);
        } catch (MalformedMessageException e) {
            throw e.withText(excerpt(line));
        }
    }

    private static String excerpt(byte[] line) {
        boolean whole = line.length <= MAX_EXCERPT;
        String start =
                new String(line, 0, whole ? line.length : MAX_EXCERPT, StandardCharsets.UTF_8);
        return whole ? start : start + "…";
    }

    @Override
    public boolean isUninterruptible() {
        return direct != null;
    }

    @Override
    public void sendDirectly(JsonRpcMessage message) throws IOException {
        OutputStream to = Objects.requireNonNull(direct);
        send(message, to);
        writeHeld(to);
    }

    @Override
    public void send(JsonRpcMessage message) throws IOException {
        send(message, out);
    }

    private void send(JsonRpcMessage message, OutputStream to) throws IOException {
        RawJson text = message.toRaw();
        if (held + text.size() >= buffer.length) {
            writeHeld(to);
        }
        if (text.size() >= buffer.length) {
            to.write(text.toBytes());
        } else {
            text.copyTo(buffer, held);
            held += text.size();
        }
        buffer[held++] = '\n';
    }

    private void writeHeld(OutputStream to) throws IOException {
        int length = held;
        held = 0;
        to.write(buffer, 0, length);
    }

    @Override
    public void flush() throws IOException {
        writeHeld(out);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        release.close();
    }
}
