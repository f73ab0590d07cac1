package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawHttpClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Bodies that do not come, while others use the server. */
@Tag("proof")
@Timeout(900)
class SlowBodiesAttackTest {
    private static final String ATTACKER = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";
    private static final String NEWEST = "2025-11-25";

    private final List<Socket> held = new ArrayList<>();
    private final McpServer server =
            McpServer.named("attacked", "1")
                    .tool("echo", "Answers at once", NoInput.class, String.class)
                    .handle((none, call) -> "echoed")
                    .build();

    private HttpServing serve(UnaryOperator<HttpListener> options) throws IOException {
        return server.serve(options.apply(Http.port(0).shutdownGrace(Duration.ofMillis(100))));
    }

    @AfterEach
    void end() throws IOException {
        for (Socket socket : held) {
            socket.close();
        }
        server.close();
    }

    private void flood(RawHttpClient attacker, int bodies) throws IOException {
        for (int i = 0; i < bodies; i++) {
            held.add(attacker.send("POST", "{\"jsonrp", 1_000));
        }
    }

    /**
     * Takes all places of bodies. Some of the first may find none, since the place of an earlier
     * request becomes free a moment after its answer.
     */
    private HttpAnswer floodUntilRefused(RawHttpClient attacker) {
        return await("a refusal")
                .until(
                        () -> {
                            flood(attacker, 80);
                            return attacker.initialize(NEWEST);
                        },
                        answer -> answer.status() != 200);
    }

    private static void assertServed(int port, String from) throws IOException {
        assertServed(RawHttpClient.open(port, from, NEWEST));
    }

    private static void assertServed(RawHttpClient client) throws IOException {
        assertThat(client.post(RawHttpClient.call(1, "echo")).body()).contains("echoed");
    }

    /** Sends more bodies than there are permits for requests (D6). */
    @Test
    void aThousandBodiesTakeNoPlacesOfRequests() throws Exception {
        int port = serve(listener -> listener).port();

        flood(RawHttpClient.at(port, ATTACKER), 1_100);

        for (int i = 0; i < 20; i++) {
            assertServed(port, OTHER);
            assertServed(port, ATTACKER);
        }
    }

    @Test
    void whereAllPlacesOfBodiesAreTakenOthersHaveAReserve() throws Exception {
        int port = serve(listener -> listener.maxRequests(20)).port();
        RawHttpClient neighbour = RawHttpClient.open(port, ATTACKER, NEWEST);
        RawHttpClient attacker = RawHttpClient.at(port, ATTACKER);

        HttpAnswer refused = floodUntilRefused(attacker);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("(80); raise HttpOptions.maxRequests");
        for (int i = 0; i < 20; i++) {
            assertServed(port, OTHER);
            assertServed(neighbour);
        }
    }

    /**
     * Checks that, where permits are scarce, a body that drips ends long before the client timeout.
     */
    @Test
    void bodiesThatDripEndSoonerWhereAllPlacesAreTaken() throws Exception {
        Duration timeout = Duration.ofSeconds(90);
        int port = serve(listener -> listener.maxRequests(20).clientTimeout(timeout)).port();
        long start = System.nanoTime();
        RawHttpClient attacker = RawHttpClient.at(port, ATTACKER);
        HttpAnswer refused = floodUntilRefused(attacker);
        List<Socket> bodies = List.copyOf(held);
        Thread drips = Thread.ofVirtual().start(() -> drip(bodies));
        assertThat(refused.body()).contains("(80); raise HttpOptions.maxRequests");

        await("a free place")
                .until(() -> attacker.initialize(NEWEST).status(), status -> status == 200);

        assertServed(port, ATTACKER);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(timeout);
        drips.interrupt();
        drips.join();
    }

    /** Sends a byte of each body every 200 ms, far more often than a silent connection needs. */
    private static void drip(List<Socket> bodies) {
        while (!Thread.interrupted()) {
            for (Socket body : bodies) {
                try {
                    body.getOutputStream().write(' ');
                } catch (IOException e) {
                    // the server has had enough of this one
                }
            }
            LockSupport.parkNanos(200_000_000);
        }
    }
}
