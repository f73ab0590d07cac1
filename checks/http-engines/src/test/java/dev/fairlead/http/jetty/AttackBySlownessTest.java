package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Slow clients, which hold resources that others need. */
@Tag("proof")
@Timeout(120)
class AttackBySlownessTest extends HttpTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final String HEAD =
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
                    + "Content-Type: application/json\r\n";

    private HttpServing impatient() throws IOException {
        return impatient(TIMEOUT);
    }

    private HttpServing impatient(Duration timeout) throws IOException {
        return serve(listener -> listener.clientTimeout(timeout).maxRequests(5).heartbeat(TIMEOUT));
    }

    private void assertServes(HttpServing serving) {
        assertThat(sessionInTime(serving)).isNotEmpty();
    }

    private String sessionInTime(HttpServing serving) {
        return Attempts.inTime(() -> Optional.ofNullable(session(serving)));
    }

    /** Returns the answers to all connections, if each has this status. */
    private static Optional<List<Wire.Answer>> answers(int status, List<Wire> wires)
            throws IOException {
        List<Wire.Answer> answers = new ArrayList<>();
        for (Wire wire : wires) {
            answers.add(wire.answer());
        }
        boolean all = answers.stream().allMatch(answer -> answer.status() == status);
        return all ? Optional.of(answers) : Optional.empty();
    }

    /** Sends the same again and again, far more often than a silent connection would need. */
    private static Thread drip(Wire wire, String piece) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                while (true) {
                                    wire.raw(piece);
                                    LockSupport.parkNanos(TIMEOUT.toNanos() / 10);
                                }
                            } catch (IOException e) {
                                // the server has had enough
                            }
                        });
    }

    @Test
    void aHeadThatNeverEndsIsCutOff() throws Exception {
        HttpServing serving = impatient();
        List<Thread> attackers = new ArrayList<>();
        for (String first : new String[] {"POST /mcp HTTP/1.1\r\n", HEAD, "", "POST /"}) {
            attackers.add(drip(wire(serving).raw(first), "X: y\r\n"));
        }
        assertServes(serving);

        for (Thread attacker : attackers) {
            assertThat(attacker.join(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void whatIsPipelinedSlowlyBehindARequestIsCutOff() throws Exception {
        HttpServing serving = impatient();
        Wire wire =
                Attempts.inTime(
                        () -> {
                            Wire served = wire(serving).post(initialize("2025-11-25"));
                            return answers(200, List.of(served)).map(answers -> served);
                        });

        assertThat(drip(wire, "P").join(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void aBodyThatDripsIsRefusedAndItsPlaceIsFree() throws Exception {
        HttpServing serving = impatient();
        List<Wire> slow = new ArrayList<>();
        List<Wire.Answer> answers =
                Attempts.inTime(
                        () -> { // a drip that comes too late would be answered with 400
                            slow.clear();
                            for (int i = 0; i < 20; i++) { // as many as may be read
                                slow.add(drips(serving, "Content-Length: 1000000", " "));
                            }
                            return answers(408, slow);
                        });
        for (Wire.Answer answer : answers) {
            assertThat(answer.body()).contains("The body comes too slowly");
            assertThat(answer.header("Connection")).isEqualTo("close");
        }
        for (Wire wire : slow) {
            wire.awaitEnd();
        }
        assertServes(serving);
    }

    /** A request whose body drips. */
    private Wire drips(HttpServing serving, String header, String piece) throws IOException {
        Wire wire = wire(serving).raw(HEAD + header + "\r\n\r\n");
        drip(wire, piece);
        return wire;
    }

    @Test
    void aChunkedBodyThatDripsIsRefused() throws Exception {
        HttpServing serving = impatient();

        List<Wire.Answer> refusal =
                Attempts.inTime(
                        () -> {
                            Wire wire = drips(serving, "Transfer-Encoding: chunked", "1\r\n \r\n");
                            return answers(408, List.of(wire));
                        });

        assertThat(refusal).hasSize(1);
    }

    @Test
    void aBodyForTheAuthorizationThatDripsIsNotReadToItsEnd() throws Exception {
        BlockingQueue<String> failures = new LinkedBlockingQueue<>();
        HttpServing serving =
                serve(
                        listener ->
                                listener.clientTimeout(TIMEOUT)
                                        .authorization(new ReadingAuthorization(failures)));

        String failure =
                Attempts.inTime(
                        () -> { // a drip that comes too late would be another failure
                            drip(
                                    wire(serving)
                                            .raw(
                                                    "POST /register HTTP/1.1\r\nHost: localhost\r\n"
                                                            + "Content-Length: 1000000\r\n\r\n"),
                                    " ");
                            return Optional.ofNullable(failures.poll(5, TimeUnit.SECONDS))
                                    .filter(said -> said.contains("bytes a second"));
                        });

        assertThat(failure).isEqualTo("less than 16384 bytes a second came for too long");
    }

    /** Reads the body of a request, and records the failure. */
    private record ReadingAuthorization(BlockingQueue<String> failures)
            implements HttpAuthorization {
        @Override
        public Decision decide(HttpExchange request) {
            return Decision.Refused.unauthorized("Bearer", "nobody");
        }

        @Override
        public String challenge(Caller caller, Set<String> required, String message) {
            return "Bearer";
        }

        @Override
        public List<Route> routes() {
            return List.of(new Route("/register", this::read));
        }

        private void read(HttpExchange exchange) {
            try {
                exchange.body().readAllBytes();
            } catch (IOException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
            exchange.respond(new ResponseHead(204, Map.of("Connection", "close")), new byte[0]);
        }
    }

    @Test
    void aBodyThatStopsIsRefused() throws Exception {
        HttpServing serving = impatient();

        Wire refused =
                Attempts.inTime(
                        () -> {
                            Wire wire = wire(serving).raw(HEAD + "Content-Length: 100\r\n\r\n{");
                            return answers(400, List.of(wire)).map(answers -> wire);
                        });

        refused.awaitEnd();
    }

    @Test
    void connectionsThatSayNothingAreClosed() throws Exception {
        HttpServing serving = impatient();
        List<Wire> silent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            silent.add(wire(serving));
        }
        assertServes(serving);
        for (Wire wire : silent) {
            wire.awaitEnd();
        }
    }

    /** Checks that a client that has vanished is detected when the server writes to it. */
    @Test
    @Requirement("SSE-022")
    void aStreamWhoseReaderNeverReadsIsDropped() throws Exception {
        HttpServing serving = impatient();
        String id = sessionInTime(serving);
        assertThat(Attempts.inTime(() -> Optional.of(listens(serving, id)))).isEqualTo(200);
        Scripted session = reachable();
        var large = notification("x", "{\"data\":\"" + "x".repeat(8 << 20) + "\"}");
        session.context.send(large);

        await().until(() -> !session.context.isReachable());
    }

    /** Opens a stream of which only the head is read, and gives its status. */
    private int listens(HttpServing serving, String id) throws IOException {
        Wire reader = closedLater(new Wire(serving.port(), 4096));
        return reader.get(SESSION, id).head().status();
    }
}
