package dev.fairlead.http.stream;

import dev.fairlead.http.spi.ResponseStream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A connection that takes everything at once. */
public final class Response implements ResponseStream {
    public final StringBuilder text = new StringBuilder();
    public boolean ended;
    public boolean aborted;

    @Override
    public void write(ByteBuffer bytes, Completion completion) {
        text.append(StandardCharsets.UTF_8.decode(bytes));
        completion.done(null);
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public void abort() {
        aborted = true;
    }
}
