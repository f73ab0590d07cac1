package dev.fairlead.client.group;

import dev.fairlead.client.FakeServer;

import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Scripted servers for a group, and a way to wait for what its threads do. */
final class Fakes {
    private Fakes() {}

    /** A server with these tools, which answer with the name of the server and their own. */
    static FakeServer tools(String server, String... names) {
        return listing(
                new FakeServer()
                        .greet("2025-11-25", "{\"tools\": {\"listChanged\": true}}")
                        .on("ping", "{}")
                        .on(
                                "tools/call",
                                params ->
                                        "{\"content\": [{\"type\": \"text\", \"text\": \"%s/%s\"}]}"
                                                .formatted(server, params.string("name"))),
                names);
    }

    static FakeServer listing(FakeServer server, String... names) {
        return server.on(
                "tools/list",
                Stream.of(names)
                        .map(
                                name ->
                                        "{\"name\": \"%s\", \"inputSchema\": {\"type\": \"object\"}}"
                                                .formatted(name))
                        .collect(Collectors.joining(",", "{\"tools\": [", "]}")));
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("still not so after 30 s");
            }
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }
}
