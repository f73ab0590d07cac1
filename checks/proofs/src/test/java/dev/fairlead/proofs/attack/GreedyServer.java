package dev.fairlead.proofs.attack;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A server on the engine of its argument, with a tool that takes all memory for a moment. */
final class GreedyServer {
    private GreedyServer() {}

    public static void main(String[] arguments) throws IOException {
        try (McpServer server = create();
                HttpServing serving = server.serve(Http.port(0).engine(arguments[0]))) {
            SmallHeap.ready(serving.port());
        }
    }

    static McpServer create() {
        return McpServer.named("greedy", "1")
                .tool("exhaust", "Allocates until there is no memory", NoInput.class, String.class)
                .handle((none, call) -> exhaust())
                .tool("small", "Returns a word", NoInput.class, String.class)
                .handle((none, call) -> "small")
                .build();
    }

    static String exhaust() {
        List<byte[]> kept = new ArrayList<>();
        for (int size = 1 << 20; ; ) {
            try {
                kept.add(new byte[size]);
            } catch (OutOfMemoryError e) {
                if (size <= 64) { // no memory for anything else either
                    throw e;
                }
                size /= 8; // each step costs some collections of the whole heap
            }
        }
    }
}
