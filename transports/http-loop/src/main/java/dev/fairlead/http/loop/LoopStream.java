package dev.fairlead.http.loop;

import dev.fairlead.http.spi.ResponseStream;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A response that is written piece by piece: in chunks, or until the connection ends. */
final class LoopStream implements ResponseStream {
    private static final byte[] LINE_END = ResponseEncoder.ascii("\r\n");
    private static final byte[] END = ResponseEncoder.ascii("0\r\n\r\n");

    private final LoopExchange exchange;
    private final LoopConnection connection;
    private final boolean chunked;
    private final boolean last;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** The head that is not written yet; used by one call at a time. */
    private @Nullable ByteBuffer head;

    LoopStream(
            LoopExchange exchange,
            LoopConnection connection,
            ByteBuffer head,
            boolean chunked,
            boolean last) {
        this.exchange = exchange;
        this.connection = connection;
        this.head = head;
        this.chunked = chunked;
        this.last = last;
    }

    @Override
    public void write(ByteBuffer bytes, Completion completion) {
        List<ByteBuffer> buffers = begin();
        if (bytes.hasRemaining() && !exchange.head().isHeadRequest()) {
            if (chunked) {
                String size = Integer.toHexString(bytes.remaining()) + "\r\n";
                buffers.add(ByteBuffer.wrap(ResponseEncoder.ascii(size)));
            }
            buffers.add(bytes);
            if (chunked) {
                buffers.add(ByteBuffer.wrap(LINE_END));
            }
        }
        connection.write(
                buffers.toArray(ByteBuffer[]::new),
                failure -> connection.leaveLoop(() -> completion.done(failure)));
    }

    private List<ByteBuffer> begin() {
        List<ByteBuffer> buffers = new ArrayList<>(4);
        ByteBuffer first = head;
        if (first != null) {
            buffers.add(first);
            head = null;
        }
        return buffers;
    }

    @Override
    public void end() {
        if (ended.compareAndSet(false, true)) {
            List<ByteBuffer> buffers = begin();
            if (chunked && !exchange.head().isHeadRequest()) {
                buffers.add(ByteBuffer.wrap(END));
            }
            connection.write(
                    buffers.toArray(ByteBuffer[]::new), failure -> exchange.answered(last));
        }
    }

    @Override
    public void abort() {
        if (ended.compareAndSet(false, true)) {
            connection.abort(!chunked);
            exchange.answered(true);
        }
    }
}
