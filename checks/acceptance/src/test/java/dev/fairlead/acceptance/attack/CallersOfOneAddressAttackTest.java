package dev.fairlead.acceptance.attack;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.acceptance.SubjectTokens;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawHttpClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Two callers with tokens behind one address: one uses up all that it can get. */
@Timeout(180)
class CallersOfOneAddressAttackTest {
    private static final int REQUESTS = 40;
    private static final int SESSIONS = 60;
    private static final int BODY = 1 << 20;
    private static final int ANSWER = 4 << 20;
    private static final String ADDRESS = "127.0.0.2";
    private static final String NEWEST = "2025-11-25";

    private final AtomicInteger running = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Socket> held = new ArrayList<>();
    private final McpServer server =
            McpServer.named("attacked", "1")
                    .maxRequests(10_000) // so that the limits of HTTP count
                    .withoutRateLimit()
                    .tool("echo", "Answers at once", NoInput.class, String.class)
                    .handle((none, call) -> "echoed")
                    .tool("sleep", "Waits", NoInput.class, String.class)
                    .handle((none, call) -> sleep())
                    .tool("big", "Returns much", NoInput.class, String.class)
                    .handle((none, call) -> "x".repeat(ANSWER))
                    .build();
    private HttpServing serving;
    private RawHttpClient attacker;
    private RawHttpClient other;

    private String sleep() throws InterruptedException {
        running.incrementAndGet();
        try {
            over.await();
            return "slept";
        } finally {
            running.decrementAndGet();
        }
    }

    @BeforeEach
    void serve() throws IOException {
        serving =
                server.serve(
                        Http.port(0)
                                .clientTimeout(Duration.ofMinutes(3)) // longer than the test
                                .shutdownGrace(Duration.ofMillis(100))
                                .maxRequests(REQUESTS)
                                .maxSessions(SESSIONS)
                                .maxBody(BODY)
                                .maxBodySum(4L * BODY)
                                .maxAnswerSum(8L * ANSWER)
                                .authorization(SubjectTokens.authorization()));
        attacker = RawHttpClient.at(serving.port(), ADDRESS).as("attacker");
        other = attacker.as("other");
    }

    @AfterEach
    void end() throws IOException {
        over.countDown();
        for (Socket socket : held) {
            socket.close();
        }
        server.close();
    }

    @Test
    void theOtherIsServedWhileAllIsTaken() throws Exception {
        takeAnswers();
        takeCalls();
        takeSessions();
        takeBodies();

        RawHttpClient first = other.open(NEWEST);
        for (int i = 0; i < 10; i++) {
            assertServed(first);
            RawHttpClient next = other.open(NEWEST);
            assertServed(next);
            assertThat(next.delete().status()).isEqualTo(204);
        }
        HttpAnswer large = first.post(padded(BODY / 2));
        assertThat(large.status()).as(large.body()).isEqualTo(200);
        HttpAnswer big = first.post(RawHttpClient.call(3, "big"));
        assertThat(big.body()).hasSizeGreaterThan(ANSWER);
    }

    private static void assertServed(RawHttpClient client) throws IOException {
        assertThat(client.post(RawHttpClient.request(1, "ping", "{}")).status()).isEqualTo(200);
        HttpAnswer answer = client.post(RawHttpClient.call(2, "echo"));
        assertThat(answer.body()).contains("echoed");
    }

    private static String padded(int bytes) {
        return RawHttpClient.call(4, "echo") + " ".repeat(bytes);
    }

    /** All places of calls, which it may have since nobody else wants them. */
    private void takeCalls() throws Exception {
        RawHttpClient session = attacker.open(NEWEST);
        for (int i = 1; running.get() < REQUESTS; i++) { // large answers may be under way still
            int before = running.get();
            Socket call = session.begin(RawHttpClient.call(i, "sleep"));
            held.add(call);
            await().untilAsserted(
                            () ->
                                    assertThat(running.get() > before || isAnswered(call))
                                            .as(() -> running + " run")
                                            .isTrue());
        }
    }

    private static boolean isAnswered(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its share of unread answers: a quarter for each session, a half for all of them. */
    private void takeAnswers() throws Exception {
        for (int s = 0; s < 3; s++) {
            RawHttpClient unread = attacker.open(NEWEST);
            for (int i = 0; i < 4; i++) {
                held.add(unread.begin(RawHttpClient.call(i, "big")));
            }
        }
        RawHttpClient session = attacker.open(NEWEST);
        await("an answer that finds no room") // until all of them wait
                .until(
                        () -> session.post(RawHttpClient.call(9, "big")).body().length(),
                        length -> length <= ANSWER);
    }

    private void takeSessions() throws Exception {
        HttpAnswer refused = attacker.initialize(NEWEST);
        while (refused.status() == 200) {
            String id = refused.head().replaceFirst("(?is).*mcp-session-id: (\\w+).*", "$1");
            held.add(new RawHttpClient(serving.port(), ADDRESS, id, "attacker").listen());
            refused = attacker.initialize(NEWEST);
        }
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("Session limit reached");
    }

    /** All places of bodies, and its half of their bytes. */
    private void takeBodies() throws Exception {
        for (int i = 0; i < 4; i++) {
            held.add(attacker.send("POST", " ".repeat(BODY - 1), BODY));
        }
        for (int i = 0; i < REQUESTS * 4; i++) {
            held.add(attacker.send("POST", "{", 100));
        }
        HttpAnswer refused = attacker.initialize(NEWEST);
        while (!refused.body().contains("bodies that are read")) { // not all were seen yet
            refused = attacker.initialize(NEWEST);
        }
    }
}
