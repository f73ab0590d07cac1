package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;

/** Servers that share a PostgreSQL, of which one runs a call and its client comes to another. */
@Tag("proof") // starts a PostgreSQL
@Timeout(120)
class ServersOfOneStoreTest extends HttpTest {
    private static final String LAST = "Last-Event-ID";
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres postgres;

    private final CountDownLatch answering = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private String url;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start();
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void create() throws Exception {
        String name = "test" + DATABASES.incrementAndGet();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        url = postgres.getJdbcUrl("postgres", name);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    answering.await();
                    try {
                        exchange.send(numbered(2));
                        exchange.send(result(request, "{}"));
                    } finally {
                        answered.countDown();
                    }
                });
    }

    @AfterEach
    void release() {
        answering.countDown();
    }

    private EventStore store() {
        return JdbcEvents.on(closedLater(Database.postgres(url)));
    }

    private HttpServing server() throws IOException {
        return server(store());
    }

    private HttpServing server(EventStore store) throws IOException {
        return serve(listener -> listener.retry(Duration.ofMillis(20)).eventStore(store));
    }

    /** Begins a call, of which the client sees the first event; its connection stays open. */
    private Wire call(HttpServing serving, String id, List<Event> seen) throws IOException {
        Wire call = wire(serving).post(request(7, "tools/call"), SESSION, id);
        assertThat(call.head().status()).isEqualTo(200);
        seen.add(call.event()); // the priming event
        seen.add(call.event());
        assertThat(seen.getLast().data()).contains("\"n\":1");
        return call;
    }

    /** Returns the events of one connection that resumes a stream. */
    private List<Event> resume(HttpServing serving, String id, Event last) throws IOException {
        try (Wire back = Wire.to(serving).get(SESSION, id, LAST, last.id())) {
            assertThat(back.head().status()).isEqualTo(200);
            List<Event> events = new ArrayList<>();
            for (Event event = back.event(); event != null; event = back.event()) {
                events.add(event);
            }
            return events;
        }
    }

    /** Returns the data of the events of a stream behind the last one. */
    private List<String> follow(HttpServing serving, String id, Event last) throws IOException {
        return resume(serving, id, last).stream().map(Event::data).toList();
    }

    /** Returns the events of a connection until the server breaks it off. */
    private static List<Event> untilBroken(Wire wire) {
        List<Event> events = new ArrayList<>();
        try {
            for (Event event = wire.event(); event != null; event = wire.event()) {
                events.add(event);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection is still open", e);
        } catch (IOException e) {
            return events;
        }
        throw new AssertionError("the connection ended properly");
    }

    @Test
    @Requirement({"SSE-012", "SSE-020"})
    void theCallOfASessionThatMovesEndsOnceAndItsLaterEventsAreDropped() throws Exception {
        HttpServing first = server();
        HttpServing second = server();
        HttpServing third = server();
        String id = session(first);
        List<Event> seen = new ArrayList<>();
        Wire call = call(first, id, seen);

        List<String> data = follow(second, id, seen.getLast());

        assertThat(data).singleElement().asString().contains("\"id\":7", "The answer was lost");
        assertThat(follow(third, id, seen.getLast())).isEqualTo(data);
        Logged logged = new Logged("dev.fairlead.http.stream.EventStream", Level.WARNING);
        closedLater(logged::close);
        answering.countDown();
        assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();

        assertThat(untilBroken(call)).isEmpty();
        assertThat(logged.lines()).singleElement().asString().contains("has taken session");
        for (HttpServing serving : List.of(third, second, first)) {
            await().until(() -> method(serving, "GET", SESSION, id, LAST, "x").status() == 400);
            assertThat(follow(serving, id, seen.getLast())).isEqualTo(data);
        }
    }

    @Test
    @Requirement({"SSE-012", "SSE-020"})
    void anAnswerThatAServerCouldNotKeepEndsWithAnErrorAtEachServer() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.disconnect(Duration.ofMillis(20));
                    answering.await();
                    exchange.send(result(request, "{}"));
                    answered.countDown();
                });
        FailingStore failing = new FailingStore(store());
        HttpServing first = server(failing);
        HttpServing second = server();
        String id = session(first);
        List<Event> seen = new ArrayList<>();
        Wire call = call(first, id, seen);
        assertThat(call.event()).matches(ServersOfOneStoreTest::isRetry);
        assertThat(call.event()).isNull();
        failing.full = true;
        answering.countDown();
        assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
        failing.full = false;

        List<String> data = follow(second, id, seen.getLast());
        assertThat(data).singleElement().asString().contains("\"id\":7", "The answer was lost");
        assertThat(follow(second, id, seen.getLast())).isEqualTo(data);
    }

    private static boolean isRetry(Event event) {
        return event.id() == null && event.data() == null && "20".equals(event.retry());
    }

    @Test
    @Requirement("SSE-020")
    void theCallOfAServerThatWasClosedHasItsErrorAtOnce() throws Exception {
        HttpServing first = server();
        HttpServing second = server();
        String id = session(first);
        List<Event> seen = new ArrayList<>();
        call(first, id, seen).close();

        first.close();

        List<Event> rest = resume(second, id, seen.getLast());
        assertThat(rest)
                .singleElement()
                .extracting(Event::data)
                .asString()
                .contains("\"id\":7", "The server was closed before it answered");
    }
}
