package dev.fairlead.proofs.attack;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.ClientSession;

import java.io.IOException;

/** A server with default limits, whose tools give and take many bytes. */
final class BytesServer {
    /** The characters that {@code big} returns. */
    static final int BIG = 4 << 20;

    private static final int RESULT = 3 << 20;

    private BytesServer() {}

    record Text(String text) {}

    record Item(String id) {}

    record Notes(int count, int size) {}

    public static void main(String[] arguments) throws IOException {
        try (McpServer server = create();
                HttpServing serving = server.serve(Http.port(0))) {
            SmallHeap.ready(serving.port());
        }
    }

    private static McpServer create() {
        return McpServer.named("bytes", "1")
                .tool("big", "Returns 4 MiB", NoInput.class, String.class)
                .handle((none, call) -> "x".repeat(BIG))
                .tool("big_stream", "Returns 4 MiB by a stream", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            call.progress(1);
                            return "x".repeat(BIG);
                        })
                .tool("small", "Returns a word", NoInput.class, String.class)
                .handle((none, call) -> "small")
                .tool("echo", "Returns its text", Text.class, String.class)
                .handle((input, call) -> input.text())
                .tool("result", "Ends with 3 MiB", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle((none, call) -> "x".repeat(RESULT))
                .tool(
                        "notify",
                        "Sends notifications outside of the call",
                        Notes.class,
                        String.class)
                .handle((input, call) -> notify(call.clientSession().orElseThrow(), input))
                .resourceTemplate("bytes://items/{id}", "item", Item.class, String.class)
                .handle((item, call) -> item.id())
                .build();
    }

    /** Returns how many notifications found room. */
    private static String notify(ClientSession session, Notes notes) {
        JsonObject params = JsonObject.of("text", "x".repeat(notes.size()));
        int taken = 0;
        for (int i = 0; i < notes.count(); i++) {
            try {
                session.notify("example/note", params);
                taken++;
            } catch (ConnectionException e) {
                // the client listens to no stream
            }
        }
        return "taken: " + taken;
    }
}
