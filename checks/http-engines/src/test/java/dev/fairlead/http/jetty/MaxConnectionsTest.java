package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound of connections, at its edge. */
@Timeout(60)
class MaxConnectionsTest extends HttpTest {
    private final HttpServing serving;

    MaxConnectionsTest() throws Exception {
        serving = serve(listener -> listener.maxConnections(2).health("/health"));
    }

    private static void ask(Wire wire) throws Exception {
        assertThat(wire.method("OPTIONS").answer().status()).isEqualTo(204);
    }

    @Test
    void oneConnectionTooManyWaitsUntilAnotherIsClosed() throws Exception {
        Wire first = wire(serving);
        Wire second = wire(serving);
        ask(first);
        ask(second);
        Wire third = wire(serving).post(initialize("2025-11-25"));
        for (int i = 0; i < 10; i++) {
            ask(first);
            ask(second);
        }

        assertThat(serving.metrics().requestsTaken()).isZero();
        first.close();
        assertThat(third.answer().status()).isEqualTo(200);
        ask(second);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void placesComeBackHoweverConnectionsEnd(int round) throws Exception {
        for (int i = 0; i < 5 * round; i++) {
            try (Wire broken = wire(serving)) {
                broken.raw("POST /mcp HT");
            }
            Wire refused = wire(serving).raw("NONSENSE\r\n\r\n");
            assertThat(refused.answer().status()).isEqualTo(400);
            refused.awaitEnd();
        }

        ask(wire(serving));
        ask(wire(serving));
    }

    @Test
    void aServerThatIsFullCanBeClosed() throws Exception {
        ask(wire(serving));
        ask(wire(serving));
        Wire third = wire(serving).method("OPTIONS");

        serving.close();

        third.awaitEnd();
    }
}
