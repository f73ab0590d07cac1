package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;

import java.nio.charset.StandardCharsets;

/**
 * One message of JSON-RPC 2.0. Only its envelope is taken apart; parameters and results stay text
 * until their type is known.
 */
public sealed interface JsonRpcMessage
        permits JsonRpcRequest, JsonRpcNotification, JsonRpcResponse, JsonRpcErrorResponse, Batch {

    /**
     * Reads one message.
     *
     * @throws MalformedMessageException with {@code -32700} if the text is not JSON, or {@code
     *     -32600} if it is JSON but no message
     */
    static JsonRpcMessage parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads one message from UTF-8, which must not be changed afterwards; fails as {@link
     * #parse(String)} does.
     */
    static JsonRpcMessage parse(byte[] utf8) {
        return new MessageParser(utf8).parse();
    }

    /** Writes this message into a text under way. */
    void writeTo(JsonWriter writer);

    /** This message as UTF-8, on one line without a line end. */
    default byte[] toBytes() {
        JsonWriter writer = new JsonWriter(expectedSize());
        writeTo(writer);
        return writer.toBytes();
    }

    /** This message as JSON text on one line, which is not copied. */
    default RawJson toRaw() {
        JsonWriter writer = new JsonWriter(expectedSize());
        writeTo(writer);
        return writer.finish();
    }

    /** How many bytes this message has as text, as far as that is known before it is written. */
    int expectedSize();

    /** This message as text, on one line without a line end. */
    default String toJson() {
        return new String(toBytes(), StandardCharsets.UTF_8);
    }
}
