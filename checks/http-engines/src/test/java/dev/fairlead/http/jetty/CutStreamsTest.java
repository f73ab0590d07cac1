package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.http.jetty.Wire.Head;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Connections that break at random bytes, over and over, while messages are under way. */
@Timeout(120)
class CutStreamsTest extends HttpTest {
    private static final int MESSAGES = 300;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Requirement({"SSE-007", "SSE-011", "SSE-012", "SSE-013", "SSE-022"})
    void nothingIsLostOrDoubledOnTheStreamOfAPost(long seed) throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    Random random = new Random(seed);
                    for (int i = 0; i < MESSAGES; i++) {
                        exchange.send(padded(i, random.nextInt(4000)));
                        if (random.nextInt(20) == 0) {
                            exchange.disconnect(Duration.ofMillis(1));
                        }
                    }
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving =
                serve(listener -> listener.streamBuffer(32 << 10).eventStore(roomy()));
        String id = session(serving);
        List<Reader> readers = new ArrayList<>();
        List<Future<List<String>>> all = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                Reader reader = new Reader(serving, id, new Random(seed * 31 + i));
                readers.add(reader);
                String body = request(i, "tools/call");
                all.add(executor.submit(() -> reader.readAll(body)));
            }
        }

        for (int i = 0; i < 4; i++) {
            List<String> data = all.get(i).get();
            assertThat(numbers(data.subList(0, data.size() - 1)))
                    .isEqualTo(IntStream.range(0, MESSAGES).boxed().toList());
            assertThat(data.getLast())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"result\":{}}");
        }
        assertThat(readers).anyMatch(reader -> reader.cuts > 3);
    }

    private static InMemoryEventStore roomy() {
        return new InMemoryEventStore(
                new EventLimits(10_000, 16 << 20, 64 << 20, Duration.ofMinutes(5)));
    }

    private static JsonRpcNotification padded(int number, int size) {
        return notification("x", "{\"n\":" + number + ",\"x\":\"" + "x".repeat(size) + "\"}");
    }

    private static List<Integer> numbers(List<String> data) {
        return data.stream()
                .map(text -> text.replaceFirst(".*\"n\":([0-9]+).*", "$1"))
                .map(Integer::valueOf)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Requirement({"SSE-006", "SSE-007", "SSE-012", "HTTP-029"})
    void nothingIsLostOrDoubledOnTheStreamOfAGet(long seed) throws Exception {
        HttpServing serving = serve(listener -> listener.streamBuffer(32 << 10));
        String id = session(serving);
        SessionContext context = host.session().context;
        Reader reader = new Reader(serving, id, new Random(seed));
        Thread sender =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int i = 0; i < MESSAGES; i++) {
                                        context.send(padded(i, i * 7 % 3000));
                                    }
                                    context.send(numbered(-1));
                                });

        List<String> data = reader.readUntil("\"n\":-1}");
        sender.join();

        assertThat(numbers(data.subList(0, data.size() - 1)))
                .isEqualTo(IntStream.range(0, MESSAGES).boxed().toList());
        assertThat(reader.cuts).isPositive();
    }

    @Test
    @Requirement("HTTP-018")
    void aRequestWhoseConnectionIsCutAtOnceIsAnsweredOnTheResumedStream() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve();
        String id = session(serving);
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        String first = wire.event().id();
        wire.close();

        Wire back = wire(serving).get(SESSION, id, "Last-Event-ID", first);
        back.head();
        assertThat(back.event().data()).contains("\"n\":1");
        assertThat(back.event().data()).contains("\"result\"");
        assertThat(back.event()).isNull();
    }

    /** A client that breaks its connections and comes back for the rest. */
    private static final class Reader {
        private final HttpServing serving;
        private final String session;
        private final Random random;
        private final List<String> data = new ArrayList<>();
        private String last;
        private boolean ended;
        int cuts;

        Reader(HttpServing serving, String session, Random random) {
            this.serving = serving;
            this.session = session;
            this.random = random;
        }

        List<String> readAll(String body) throws IOException {
            try (Wire wire = Wire.to(serving)) {
                wire.post(body, SESSION, session);
                read(wire, null);
            }
            return readOn(null);
        }

        List<String> readUntil(String end) throws IOException {
            try (Wire wire = Wire.to(serving)) {
                wire.get(SESSION, session);
                read(wire, end);
            }
            return readOn(end);
        }

        private List<String> readOn(String end) throws IOException {
            while (!ended) {
                cuts++;
                try (Wire wire = Wire.to(serving)) {
                    wire.get(SESSION, session, "Last-Event-ID", last);
                    read(wire, end);
                }
            }
            return data;
        }

        /**
         * Reads until a random byte of the body, the end of the stream, or the event that ends it.
         */
        private void read(Wire wire, String end) throws IOException {
            Head head = wire.head();
            assertThat(head.status()).isEqualTo(200);
            wire.cutAfter(last == null ? 200 + random.nextInt(5_000) : random.nextInt(60_000));
            try {
                for (Event event = wire.event(); event != null; event = wire.event()) {
                    last = event.id() == null ? last : event.id();
                    if (event.data() != null && !event.data().isEmpty()) {
                        data.add(event.data());
                    }
                    ended |= end != null && event.data() != null && event.data().contains(end);
                    if (ended) {
                        return;
                    }
                }
                // A stream that was left ends as well; its answer is still to come.
                ended = end == null && !data.isEmpty() && data.getLast().contains("\"result\"");
            } catch (IOException e) {
                assertThat(last).isNotNull();
            }
        }
    }
}
