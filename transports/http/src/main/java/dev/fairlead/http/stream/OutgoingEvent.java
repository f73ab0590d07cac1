package dev.fairlead.http.stream;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * An event on its way to the peer (one message each).
 *
 * @param kind the kind of its content
 * @param id null where there is no event store
 * @param data a message as JSON, or a URI; no bytes for a priming event
 * @param request the id of the message if it is a request of this side, whose answer is awaited
 * @param change the key of a notification that need not be sent twice; null for all other messages
 */
public record OutgoingEvent(
        Kind kind,
        @Nullable EventId id,
        byte[] data,
        @Nullable RequestId request,
        @Nullable String change) {
    /** The kind of content of an event, by the line that begins it. */
    @SuppressWarnings("ImmutableEnumChecker") // the bytes are never changed
    public enum Kind {
        MESSAGE("event: message\n"),
        /** The URL to which a client of HTTP+SSE posts. */
        ENDPOINT("event: endpoint\n"),
        /** No message, but the wait and where there is a store an id. */
        PRIMING("");

        private final byte[] line;

        Kind(String line) {
            this.line = line.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** A comment: it keeps proxies from closing and finds out whether the peer is still there. */
    static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);

    public static OutgoingEvent of(JsonRpcMessage message) {
        RequestId request = message instanceof JsonRpcRequest asked ? asked.id() : null;
        return new OutgoingEvent(Kind.MESSAGE, null, message.toBytes(), request, change(message));
    }

    static OutgoingEvent of(EventStore.Event event) {
        Kind kind = event.data().length == 0 ? Kind.PRIMING : Kind.MESSAGE;
        return new OutgoingEvent(kind, event.id(), event.data(), null, null);
    }

    public static OutgoingEvent priming() {
        return new OutgoingEvent(Kind.PRIMING, null, new byte[0], null, null);
    }

    public static OutgoingEvent endpoint(String uri) {
        byte[] data = uri.getBytes(StandardCharsets.US_ASCII);
        return new OutgoingEvent(Kind.ENDPOINT, null, data, null, null);
    }

    private static @Nullable String change(JsonRpcMessage message) {
        if (!(message instanceof JsonRpcNotification notification)) {
            return null;
        }
        boolean repeatable =
                notification.method().endsWith("/list_changed")
                        || notification.method().equals("notifications/resources/updated");
        return repeatable ? notification.method() + " " + notification.params() : null;
    }

    /** The requests of this side among messages. */
    public static List<RequestId> requests(List<OutgoingEvent> events) {
        return events.stream().map(OutgoingEvent::request).filter(Objects::nonNull).toList();
    }

    OutgoingEvent withId(EventId given) {
        return new OutgoingEvent(kind, given, data, request, change);
    }

    /** Appends the event in its form on the wire. */
    void writeTo(ByteArrayOutputStream out, Duration retry) {
        out.writeBytes(kind == Kind.PRIMING ? retryField(retry) : kind.line);
        if (id != null) {
            out.writeBytes(("id: " + id + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes(DATA);
        out.writeBytes(data);
        out.write('\n');
        out.write('\n');
    }

    /** Sends the client the time to wait before it reconnects. */
    static byte[] retryField(Duration retry) {
        return ("retry: " + retry.toMillis() + "\n").getBytes(StandardCharsets.US_ASCII);
    }
}
