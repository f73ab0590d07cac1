package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

@Timeout(60)
class ConnectRoutesTest {
    private static final URI ENDPOINT = URI.create("http://127.0.0.1:1/mcp");

    private final ConnectorOptions options = new ConnectorOptions(ENDPOINT);
    private final ConnectRoutes routes = new ConnectRoutes(options, Runnable::run);

    @BeforeEach
    void useNoProxy() {
        options.proxies = Proxies.none();
    }

    /** Ends a client as an OutOfMemoryError does. */
    private static void end(HttpClient client) throws InterruptedException {
        client.shutdownNow();
        assertThat(client.awaitTermination(Duration.ofDays(1))).isTrue();
    }

    @Test
    void aClientWhoseThreadHasEndedIsReplaced() throws Exception {
        ConnectRoutes.Attempt attempt = routes.attempt(ENDPOINT);
        attempt.succeeded();
        end(attempt.client());

        HttpClient next = routes.attempt(ENDPOINT).client();

        assertThat(next).isNotSameAs(attempt.client());
        assertThat(routes.attempt(ENDPOINT).client()).isSameAs(next);
        routes.close(Duration.ofDays(1));
        assertThat(routes.attempt(ENDPOINT).client().isTerminated()).isTrue();
    }

    @Test
    void theClientOfTheApplicationIsNotReplaced() throws Exception {
        HttpClient given = HttpClient.newHttpClient();
        options.httpClient = given;
        end(given);

        assertThat(routes.attempt(ENDPOINT).client()).isSameAs(given);
    }

    /** A name that leads to ever new addresses leaves no client for each of them. */
    @Test
    void theClientsOfFormerAddressesEnd() throws Exception {
        List<HttpClient> all = new ArrayList<>();
        for (int i = 0; i < 3 * ConnectRoutes.MAX_ADDRESSES; i++) {
            InetAddress first = InetAddress.getByName("127.0.0.1");
            InetAddress other = InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) i});
            options.resolver = host -> List.of(first, other);
            ConnectRoutes.Attempt attempt = routes.attempt(ENDPOINT);
            assertThat(attempt.next()).isTrue();
            all.add(attempt.client());
        }

        for (HttpClient client : all.subList(0, 2 * ConnectRoutes.MAX_ADDRESSES)) {
            assertThat(client.awaitTermination(Duration.ofDays(1))).isTrue();
        }
        assertThat(all.getLast().isTerminated()).isFalse();
        routes.close(Duration.ofDays(1));
    }
}
