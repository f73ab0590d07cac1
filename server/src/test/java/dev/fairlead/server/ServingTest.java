package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.Serving;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/** The places that a server is served in. */
class ServingTest {
    private static final class Place implements Serving {
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

            Waiting.until(() -> server.servings() == 1);
            assertThat(stays.ended.getCount()).isEqualTo(1);
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
