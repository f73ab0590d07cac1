package dev.fairlead.server;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The places that a server is served in. */
class ServingTest {
    private static class Place implements Serving {
        private final CountDownLatch ended = new CountDownLatch(1);

        @Override
        public void await() throws InterruptedException {
            ended.await();
        }

        @Override
        public void close() {
            ended.countDown();
        }
    }

    @Test
    void aPlaceThatHasEndedIsForgotten() {
        try (McpServer server = McpServer.named("s", "1").build()) {
            Place stays = server.serve(host -> new Place());
            Place ends = server.serve(host -> new Place());
            assertThat(server.servings()).isEqualTo(2);

            ends.close();

            await().until(() -> server.servings() == 1);
            assertThat(stays.ended.getCount()).isEqualTo(1);
        }
    }

    @Test
    void aServerWasReachableOnceItWasServedOrGivenOut() {
        List<Consumer<McpServer>> ways =
                List.of(
                        server -> server.serve(host -> new Place()).close(),
                        server -> server.inProcess(),
                        server -> server.inProcess(Caller.anonymous()),
                        server -> server.host());
        for (Consumer<McpServer> way : ways) {
            try (McpServer server = McpServer.named("s", "1").build()) {
                assertThat(server.wasReachable()).isFalse();
                way.accept(server);
                assertThat(server.wasReachable()).isTrue();
            }
        }
    }

    @Test
    void closingTheServerClosesItsPlaces() {
        McpServer server = McpServer.named("s", "1").build();
        Place place = server.serve(host -> new Place());

        server.close();

        assertThat(place.ended.getCount()).isZero();
    }

    @Test
    @Timeout(60)
    void aSecondCloseWaitsForTheFirst() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch mayClose = new CountDownLatch(1);
        ChangeBus slow =
                new ChangeBus() {
                    @Override
                    public Registration listen(ChangeListener listener) {
                        return () -> {
                            if (closing.getCount() > 0) {
                                closing.countDown();
                                Uninterruptibly.await(mayClose::await);
                            }
                        };
                    }

                    @Override
                    public void publish(Change change) {}
                };
        McpServer server = McpServer.named("s", "1").changes(slow).build();
        Thread first = Thread.ofVirtual().start(server::close);
        closing.await();
        Thread second = Thread.ofVirtual().start(server::close);
        await().until(() -> !second.isAlive() || second.getState() == Thread.State.WAITING);
        assertThat(second.isAlive()).isTrue();

        mayClose.countDown();
        first.join();
        second.join();
        server.close();
    }

    @Test
    @Timeout(60)
    void aPlaceMayCloseItsServerAgain() {
        McpServer[] server = {McpServer.named("s", "1").build()};
        Place place =
                server[0].serve(
                        host ->
                                new Place() {
                                    @Override
                                    public void close() {
                                        super.close();
                                        server[0].close();
                                    }
                                });

        server[0].close();

        assertThat(place.ended.getCount()).isZero();
    }

    @Test
    void aPlaceThatCannotBeHadSaysWhy() {
        try (McpServer server = McpServer.named("s", "1").build()) {
            assertThatThrownBy(
                            () ->
                                    server.serve(
                                            host -> {
                                                throw new IOException("port 3000 is taken");
                                            }))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("port 3000 is taken");
        }
    }
}
