package dev.fairlead.docs;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.util.List;

/** Everything that can go wrong, and who hears of it. */
final class ErrorScenes {
    private ErrorScenes() {}

    static McpServer server() {
        // @start region="declare"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("known", "Fails with a reason", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    throw new ToolFailedException("The station is closed");
                                })
                        .tool("refused", "Is refused", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    throw new JsonRpcException(-32000, "Try again tomorrow");
                                })
                        .tool("broken", "Has a bug", NoInput.class, String.class)
                        .handle((none, call) -> List.<String>of().getFirst())
                        .build();
        // @end
        return server;
    }

    static void unknown(Recorder recorder) throws InterruptedException {
        play(recorder, client -> client.callTool("nope", JsonObject.EMPTY));
    }

    static void refused(Recorder recorder) throws InterruptedException {
        play(recorder, client -> client.callTool("refused", JsonObject.EMPTY));
    }

    static void failed(Recorder recorder) throws InterruptedException {
        play(recorder, client -> client.callTool("known", JsonObject.EMPTY));
    }

    static void unexpected(Recorder recorder) throws InterruptedException {
        play(recorder, client -> client.callTool("broken", JsonObject.EMPTY));
    }

    static void noMethod(Recorder recorder) throws InterruptedException {
        play(recorder, client -> client.request("com.example/reindex", JsonObject.EMPTY));
    }

    /** How a caller tells them apart. */
    static String handled(McpClient client) throws InterruptedException {
        // @start region="catch"
        RemoteTool<JsonObject, String> tool = client.tool("known", JsonObject.class, String.class);
        try {
            return tool.call(JsonObject.EMPTY);
        } catch (ToolFailedException e) {
            return "The tool says: " + e.getMessage(); // e.result() is the whole result
        } catch (JsonRpcException e) {
            return "Refused with " + e.code();
        } catch (RequestTimeoutException e) {
            return "No answer in time";
        } catch (ConnectionException e) {
            return "The server is gone";
        }
        // @end
    }

    @FunctionalInterface
    private interface Attempt {
        void make(McpClient client) throws InterruptedException;
    }

    private static void play(Recorder recorder, Attempt attempt) throws InterruptedException {
        try (McpClient client = recorder.connect(server(), McpClient.named("desk", "1.4.0"))) {
            recorder.restart();
            attempt.make(client);
        } catch (JsonRpcException expected) {
            // the page shows the error
        }
    }
}
