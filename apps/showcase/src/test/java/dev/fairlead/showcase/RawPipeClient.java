package dev.fairlead.showcase;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.test.shared.RawClient;

import java.nio.charset.StandardCharsets;

/** A client that writes its messages by itself, over a pipe. */
final class RawPipeClient extends RawClient {
    private final Transport transport;

    RawPipeClient(Transport transport) {
        this.transport = transport;
    }

    @Override
    public void send(String json) throws Exception {
        transport.send(JsonRpcMessage.parse(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public JsonObject next() throws Exception {
        JsonRpcMessage message = transport.receive();
        if (message == null) {
            throw new AssertionError("the server has closed the pipe");
        }
        return (JsonObject) JsonValue.parse(new String(message.toBytes(), StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws Exception {
        transport.close();
    }
}
