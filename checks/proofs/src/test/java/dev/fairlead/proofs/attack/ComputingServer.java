package dev.fairlead.proofs.attack;

import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

/** A server on two carrier threads whose tools compute until their time is over. */
final class ComputingServer {
    private static final long SECONDS = 8;

    private ComputingServer() {}

    public static void main(String[] arguments) throws Exception {
        // read when the first virtual thread starts
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "2");
        try (McpServer server =
                McpServer.named("computing", "1")
                        .tool("blocking", "Computes", NoInput.class, String.class)
                        .blocking()
                        .handle(ComputingServer::compute)
                        .tool("careless", "Computes", NoInput.class, String.class)
                        .handle(ComputingServer::compute)
                        .build()) {
            SmallHeap.ready(server.serve(Http.port(0)).port());
        }
    }

    private static String compute(NoInput none, Call call) {
        long end = System.nanoTime() + SECONDS * 1_000_000_000;
        while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        return "computed";
    }
}
