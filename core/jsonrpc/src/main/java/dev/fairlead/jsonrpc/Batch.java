package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonWriter;

import java.util.List;
import java.util.stream.Stream;

/**
 * An array of messages, which only revision 2025-03-26 knows.
 *
 * @param messages the well-formed ones, in their order; none is itself a batch
 * @param malformed the answers to the others, one error response each
 */
public record Batch(List<JsonRpcMessage> messages, List<JsonRpcErrorResponse> malformed)
        implements JsonRpcMessage {
    /** The most messages in one batch; a longer one is refused as a whole. */
    public static final int MAX_SIZE = 1000;

    public Batch {
        messages = List.copyOf(messages);
        malformed = List.copyOf(malformed);
        if (messages.isEmpty() && malformed.isEmpty()) {
            throw new IllegalArgumentException("a batch must not be empty");
        }
    }

    /** How many of the messages are requests, each of which has one response. */
    public int requests() {
        return (int) messages.stream().filter(JsonRpcRequest.class::isInstance).count();
    }

    @Override
    public int expectedSize() {
        return 2
                + Stream.concat(messages.stream(), malformed.stream())
                        .mapToInt(message -> message.expectedSize() + 1)
                        .sum();
    }

    @Override
    public void writeTo(JsonWriter writer) {
        writer.beginArray();
        messages.forEach(message -> message.writeTo(writer));
        malformed.forEach(message -> message.writeTo(writer));
        writer.endArray();
    }
}
