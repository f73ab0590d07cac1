package dev.fairlead.console.pages;

import dev.fairlead.http.spi.ResponseStream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Writes events to the stream of a page. */
public final class EventWriter {
    private EventWriter() {}

    /**
     * Writes one event and waits until it is written.
     *
     * @param data a text without line breaks
     * @throws ExecutionException if the page has left
     */
    public static void write(ResponseStream response, String data)
            throws InterruptedException, ExecutionException {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        byte[] event = ("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        response.write(
                ByteBuffer.wrap(event),
                failure -> {
                    if (failure == null) {
                        written.complete(true);
                    } else {
                        written.completeExceptionally(failure);
                    }
                });
        written.get();
    }
}
