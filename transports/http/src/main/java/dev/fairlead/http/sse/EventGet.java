package dev.fairlead.http.sse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;

/** A GET whose answer is a stream of events. One thread sends and reads; any may stop it. */
public interface EventGet extends AutoCloseable {
    /**
     * An event that is not empty.
     *
     * @param type {@code message} where the stream names none
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes go straight to the parser
    record Event(String type, byte[] data) {}

    /**
     * Sends the request and waits for the head of the answer.
     *
     * @throws NoLegacyStreamException if the answer is no stream of events
     */
    void send() throws IOException;

    /** Waits for the next event; returns null at the end of the stream. */
    @Nullable Event next() throws IOException;

    /**
     * Waits.
     *
     * @return false if this was stopped before the time was over
     */
    boolean pause(Duration time);

    /** Ends the request or the stream; may be called more than once. */
    void stop();

    @Override
    void close();
}
