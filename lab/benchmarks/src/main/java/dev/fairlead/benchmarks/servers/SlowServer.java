package dev.fairlead.benchmarks.servers;

import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Handler;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tools that give back their text after they have slept or computed, each once as it is and once
 * with a thread of its own for each call.
 */
final class SlowServer {
    /** The suffix of the name of a tool whose calls have threads of their own. */
    static final String OWN = "-own";

    private static final int COMPUTING_NANOS = 300_000;
    private static final int STALL = 200;

    private SlowServer() {}

    record Echo(String text) {}

    /** A pause of a tool before it answers. */
    private interface Pause {
        void take() throws InterruptedException;
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments the port
     */
    public static void main(String[] arguments) throws Exception {
        McpServer.Builder builder = McpServer.named("slow", "1").withoutRateLimit();
        add(builder, "sleep", () -> Thread.sleep(5));
        add(builder, "compute", SlowServer::compute);
        AtomicInteger calls = new AtomicInteger();
        add(
                builder,
                "stall",
                () -> {
                    if (calls.incrementAndGet() % STALL == 0) {
                        Thread.sleep(20);
                    }
                });
        try (McpServer server = builder.build()) {
            server.serve(Http.port(Integer.parseInt(arguments[0]))).await();
        }
    }

    private static void add(McpServer.Builder builder, String name, Pause pause) {
        Handler<Echo, String> handler =
                (echo, call) -> {
                    pause.take();
                    return echo.text();
                };
        builder.tool(name, name, Echo.class, String.class).handle(handler);
        builder.tool(name + OWN, name, Echo.class, String.class).ownThread().handle(handler);
    }

    private static void compute() {
        long end = System.nanoTime() + COMPUTING_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
