package dev.fairlead.proofs.attack;

import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

import java.util.concurrent.atomic.AtomicInteger;

/** A server on two carrier threads whose tools compute until one of them ends that. */
final class ComputingServer {
    private static final AtomicInteger COMPUTING = new AtomicInteger();

    private static volatile boolean isOver;

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
                        .tool("computing", "How many compute", NoInput.class, String.class)
                        .handle((none, call) -> COMPUTING + " compute")
                        .tool("end", "Ends what the others compute", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    isOver = true;
                                    return "ended";
                                })
                        .build()) {
            SmallHeap.ready(server.serve(Http.port(0)).port());
        }
    }

    private static String compute(NoInput none, Call call) {
        COMPUTING.incrementAndGet();
        while (!isOver && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        return "computed";
    }
}
