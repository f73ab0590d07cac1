package dev.fairlead.console.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The connection of a page to a server that does not answer. */
@Timeout(120)
class BenchConnectionTest {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    private record Target(Remote remote) implements ConsoleTarget {
        @Override
        public String label() {
            return "silent";
        }

        @Override
        public List<String> words() {
            return List.of();
        }

        @Override
        public @Nullable URI url() {
            return null;
        }

        @Override
        public McpClient.Builder client() {
            return McpClient.named("tester", "1")
                    .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                    .requestTimeout(Duration.ofHours(1));
        }

        @Override
        public Remote remote(Consumer<String> stderr) {
            return remote;
        }
    }

    @Test
    void itIsClosedWhileAServerIsAskedForAWatch() throws Exception {
        try (McpServer server =
                McpServer.named("silent", "1")
                        .resource("a://one", "one", String.class)
                        .handle((uri, call) -> "1")
                        .intercept(
                                (method, next) -> {
                                    if (method.name().equals("resources/subscribe")) {
                                        asked.countDown();
                                        answered.await();
                                    }
                                    return next.proceed(method);
                                })
                        .build()) {
            Outbox outbox = new Outbox();
            BenchConnection connection =
                    new BenchConnection(new Target(server.inProcess()), outbox, new Frames(outbox));
            CompletableFuture<String> watch =
                    CompletableFuture.supplyAsync(
                            () -> connection.watch("a://one", true),
                            task -> Thread.ofVirtual().start(task));
            asked.await();
            connection.close();
            assertThat(watch.get()).isNotEmpty();
        } finally {
            answered.countDown();
        }
    }
}
