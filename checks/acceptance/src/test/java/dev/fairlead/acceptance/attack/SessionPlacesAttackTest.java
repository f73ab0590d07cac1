package dev.fairlead.acceptance.attack;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawHttpClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** One client that opens all sessions, while others use the server. */
@Timeout(180)
class SessionPlacesAttackTest {
    private static final String ATTACKER = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";
    private static final String NEWEST = "2025-11-25";

    private final List<Socket> held = new ArrayList<>();
    private final McpServer server =
            McpServer.named("attacked", "1")
                    .tool("echo", "Answers at once", NoInput.class, String.class)
                    .handle((none, call) -> "echoed")
                    .build();

    private HttpServing serve(int maxSessions) throws IOException {
        return server.serve(
                Http.port(0).maxSessions(maxSessions).shutdownGrace(Duration.ofMillis(100)));
    }

    @AfterEach
    void end() throws IOException {
        for (Socket socket : held) {
            socket.close();
        }
        server.close();
    }

    private static void assertServed(int port, String from) throws IOException {
        RawHttpClient client = RawHttpClient.open(port, from, NEWEST);
        assertServed(client);
        assertThat(client.delete().status()).isEqualTo(204);
    }

    private static void assertServed(RawHttpClient client) throws IOException {
        HttpAnswer answer = client.post(RawHttpClient.call(1, "echo"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("echoed");
    }

    @Test
    void sessionsThatNothingUsesLeavePlacesForOthers() throws Exception {
        HttpServing serving = serve(200);
        int port = serving.port();
        RawHttpClient idle = RawHttpClient.open(port, OTHER, NEWEST);
        RawHttpClient listening = RawHttpClient.open(port, ATTACKER, NEWEST);
        held.add(listening.listen());
        await("its stream").until(() -> serving.metrics().streams() == 1);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger opened = new AtomicInteger();
        Semaphore next = new Semaphore(300);
        Thread flood =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    next.acquireUninterruptibly();
                                    while (!over.get()) {
                                        open(port);
                                        opened.incrementAndGet();
                                        next.acquireUninterruptibly();
                                    }
                                });
        await("sessions opened").until(() -> opened.get(), found -> found > 250);

        for (int i = 0; i < 30; i++) { // fewer come meanwhile than there are places
            next.drainPermits();
            next.release(50);
            assertServed(port, OTHER);
            assertServed(port, ATTACKER);
        }
        over.set(true);
        next.release();
        flood.join();

        assertServed(idle); // of an address that has few, it does not go for those of another
        assertServed(listening);
        assertThat(serving.sessions()).isLessThanOrEqualTo(200 + 200 / 4);
    }

    private static void open(int port) {
        try {
            RawHttpClient.at(port, ATTACKER).initialize(NEWEST);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void sessionsThatAreAllInUseLeaveAReserveForOtherAddresses() throws Exception {
        HttpServing serving = serve(100);
        int port = serving.port();
        for (int i = 0; i < 100; i++) {
            held.add(RawHttpClient.open(port, ATTACKER, NEWEST).listen());
        }
        await("streams").until(() -> serving.metrics().streams(), found -> found == 100);

        HttpAnswer refused = RawHttpClient.at(port, ATTACKER).initialize(NEWEST);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body())
                .contains("Session limit reached (100); raise HttpOptions.maxSessions");
        assertServed(port, OTHER);
    }
}
