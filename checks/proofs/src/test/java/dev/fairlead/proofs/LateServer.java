package dev.fairlead.proofs;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A server of revision 2026-07-28 alone over standard input and output, which refuses a handshake
 * at once and answers {@code server/discover} only after that.
 */
final class LateServer {
    private LateServer() {}

    public static void main(String... arguments) throws Exception {
        JsonArray supported = JsonArray.of("2026-07-28");
        JsonValue discovery = null;
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject message = (JsonObject) JsonValue.parse(line);
            if (message.string("method").equals("server/discover")) {
                discovery = message.get("id");
            } else if (message.string("method").equals("initialize")) {
                OldServer.send(
                        JsonObject.of(
                                "jsonrpc",
                                "2.0",
                                "id",
                                message.get("id"),
                                "error",
                                JsonObject.of(
                                        "code",
                                        -32601,
                                        "message",
                                        "no handshake",
                                        "data",
                                        JsonObject.of("supported", supported))));
                Thread.sleep(500); // it is that slow
                OldServer.result(
                        discovery,
                        JsonObject.of("resultType", "complete", "supportedVersions", supported)
                                .with("capabilities", JsonObject.EMPTY)
                                .with("ttlMs", JsonValue.of(0))
                                .with("cacheScope", JsonValue.of("private")));
            }
        }
    }
}
