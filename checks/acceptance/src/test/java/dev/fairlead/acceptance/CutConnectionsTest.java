package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.support.Scale;
import dev.fairlead.test.support.Threads;
import dev.fairlead.testing.CuttingProxy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Streams between a real client and a real server that break at random bytes while both sides talk:
 * the caller notices only delay, or gets a clear error if the missed events are gone.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class CutConnectionsTest {
    private static final int CALLS = 6;

    record Talk(String id, int rounds, long seed) {}

    record Reply(String text) {}

    private final BlockingQueue<String> questions = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
    private Map<String, Integer> threads;
    private int attempts = 1_000_000; // more than any outage needs
    private McpServer server;
    private CuttingProxy proxy;
    private McpClient client;

    @BeforeEach
    void countThreads() {
        threads = Threads.count();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        client.close();
        proxy.close();
        server.close();
        Threads.awaitNoMoreThan(threads);
    }

    private void connect(InMemoryEventStore store, long seed, int longest) throws Exception {
        server =
                McpServer.named("cut", "1")
                        .maxNotificationsPerSecond(1_000_000)
                        .tool("talk", "Asks and notifies", Talk.class, String.class)
                        .handle(CutConnectionsTest::talk)
                        .tool("tell", "Notifies the session", Talk.class, String.class)
                        .handle(CutConnectionsTest::sendNotes)
                        .tool("outage", "Has the network fail meanwhile", Talk.class, String.class)
                        .handle(this::outage)
                        .tool("starve", "Has nothing pass from now on", Talk.class, String.class)
                        .handle(this::starve)
                        .build();
        HttpListener listener =
                Http.port(0)
                        .eventStore(store)
                        .retry(Duration.ofMillis(5))
                        .streamAfter(Duration.ofMinutes(5));
        proxy = new CuttingProxy(server.serve(listener).port(), seed, longest);
        client =
                McpClient.named("cut", "1") // of sessions, whose streams can be resumed
                        .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                        .requestTimeout(Duration.ofMinutes(10))
                        .onElicitForm(
                                form -> {
                                    questions.add(form.message());
                                    return Answer.accept(JsonObject.of("text", form.message()));
                                })
                        .onSample(
                                request -> {
                                    var asked =
                                            (TextContent)
                                                    request.messages().get(0).content().get(0);
                                    questions.add(asked.text());
                                    return CreateMessageResult.text("model", asked.text());
                                })
                        .onNotification("proof/note", note -> notes.add(note.string("text")))
                        .connect(
                                Http.to(proxy.uri())
                                        .reconnect(
                                                attempts,
                                                Duration.ofMillis(5),
                                                Duration.ofMillis(5)));
    }

    private static InMemoryEventStore roomy() {
        return new InMemoryEventStore(
                new EventLimits(100_000, 64 << 20, 128 << 20, Duration.ofMinutes(30)));
    }

    private static String talk(Talk talk, Call call) throws InterruptedException {
        Random random = new Random(talk.seed());
        for (int i = 0; i < talk.rounds(); i++) {
            String text = text(talk, i, random);
            String answer =
                    random.nextBoolean()
                            ? call.elicit(text, Reply.class).orElseThrow().text()
                            : call.sample(text, 100).text();
            if (!answer.equals(text)) {
                throw new IllegalStateException("another answer came");
            }
            call.notify("proof/note", JsonObject.of("text", text));
            call.progress(i);
        }
        return "talked " + talk.id();
    }

    private static String text(Talk talk, int number, Random random) {
        return talk.id() + " " + number + " " + "x".repeat(random.nextInt(2_000));
    }

    private static String sendNotes(Talk talk, Call call) {
        Random random = new Random(talk.seed());
        for (int i = 0; i < talk.rounds(); i++) {
            call.notify("proof/note", JsonObject.of("text", text(talk, i, random)));
        }
        return "told " + talk.id();
    }

    private String outage(Talk talk, Call call) throws InterruptedException {
        call.elicit("before", Reply.class);
        proxy.down();
        sendNotes(talk, call);
        proxy.up();
        return "survived";
    }

    private String starve(Talk talk, Call call) throws InterruptedException {
        call.elicit("before", Reply.class);
        proxy.starve();
        return sendNotes(talk, call);
    }

    private static JsonObject arguments(String id, int rounds, long seed) {
        return JsonObject.of("id", id, "rounds", rounds, "seed", seed);
    }

    private static List<String> expected(String id, int rounds, long seed) {
        Random random = new Random(seed);
        Talk talk = new Talk(id, rounds, seed);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            texts.add(text(talk, i, random));
            random.nextBoolean();
        }
        return texts;
    }

    @Test
    @Requirement({"SSE-003", "SSE-007", "SSE-011", "SSE-012", "SSE-017", "SSE-018", "HTTP-018"})
    void callsOnCutPostStreamsAreDelayedButComplete() throws Exception {
        long seed = Scale.seed("cut POST");
        int rounds = Scale.of(20, 300);
        connect(roomy(), seed, 6_000);
        List<Future<List<Progress>>> calls = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLS; i++) {
                String id = "call-" + i;
                JsonObject arguments = arguments(id, rounds, seed + i);
                calls.add(callers.submit(() -> talk(id, arguments)));
            }
        }

        List<String> expected = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            assertThat(calls.get(i).get())
                    .extracting(Progress::progress)
                    .isEqualTo(IntStream.range(0, rounds).mapToObj(n -> (double) n).toList());
            expected.addAll(expected("call-" + i, rounds, seed + i));
        }
        assertThat(questions).containsExactlyInAnyOrderElementsOf(expected);
        await("all notes came").until(() -> notes.size() >= expected.size());
        assertThat(notes).containsExactlyInAnyOrderElementsOf(expected);
        System.out.println("cut POST: " + expected.size() + " rounds, " + proxy.cuts() + " cuts");
        assertThat(proxy.cuts()).isGreaterThan(CALLS);
    }

    private List<Progress> talk(String id, JsonObject arguments) throws InterruptedException {
        List<Progress> progress = new ArrayList<>();
        assertThat(client.withProgress(progress::add).callTool("talk", arguments).text())
                .isEqualTo("talked " + id);
        return progress;
    }

    @Test
    @Requirement({"SSE-006", "SSE-007", "SSE-011", "HTTP-029"})
    void whatTheStreamOfAGetCarriesComesOnceAndInOrder() throws Exception {
        long seed = Scale.seed("cut GET");
        int calls = Scale.of(1, 50);
        connect(roomy(), seed, 10_000);
        for (int i = 0; i < calls; i++) {
            List<String> expected = new ArrayList<>();
            Random random = new Random(seed + i);
            Talk talk = new Talk("get-" + i, 200, seed + i);
            for (int n = 0; n < talk.rounds(); n++) {
                expected.add(text(talk, n, random));
            }
            client.callTool("tell", arguments(talk.id(), talk.rounds(), talk.seed()));

            await("all notes came").until(() -> notes.size() >= expected.size());
            assertThat(notes).containsExactlyElementsOf(expected);
            notes.clear();
        }
        System.out.println("cut GET: " + calls * 200 + " notes, " + proxy.cuts() + " cuts");
        assertThat(proxy.cuts()).isGreaterThan(calls);
    }

    @Test
    @Requirement({"SSE-019", "SSE-020", "SSE-017"})
    void messagesOfAnOutageAreDeliveredAfterwards() throws Exception {
        connect(roomy(), 1, 0);

        String result = client.callTool("outage", arguments("o", 50, 7)).text();

        assertThat(result).isEqualTo("survived");
        await("all notes came").until(() -> notes.size() == 50);
    }

    @Test
    @Requirement({"SSE-019", "SSE-017"})
    void missedEventsThatAreNoLongerKeptAreAClearError() throws Exception {
        InMemoryEventStore small =
                new InMemoryEventStore(
                        new EventLimits(4, 64 << 10, 64 << 10, Duration.ofMinutes(5)));
        connect(small, 1, 0);

        assertThatThrownBy(() -> client.callTool("outage", arguments("o", 50, 7)))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no longer has the events that were missed");

        assertThat(client.callTool("tell", arguments("later", 1, 7)).text())
                .isEqualTo("told later");
    }

    /** Two whole events pass on each connection, so that there is always progress. */
    @Test
    @Requirement({"SSE-011", "SSE-017"})
    void whereverAStreamIsCutAfterTwoEventsTheCallerNoticesOnlyDelay() throws Exception {
        connect(roomy(), 1, 0);
        int step = Scale.of(61, 1);
        int calls = 0;
        for (int bytes = 0; bytes < 1_500; bytes += step) {
            proxy.cutAt(2, bytes);
            String id = "cut-" + bytes;

            assertThat(talk(id, arguments(id, 6, bytes)))
                    .extracting(Progress::progress)
                    .containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0);
            calls++;
        }
        int rounds = 6 * calls;
        assertThat(questions).hasSize(rounds);
        await("all notes came").until(() -> notes.size() >= rounds);
        assertThat(notes).hasSize(rounds).doesNotHaveDuplicates();
        System.out.println("cut at each byte: " + calls + " calls, " + proxy.cuts() + " cuts");
        assertThat(proxy.cuts()).isGreaterThan(calls);
    }

    @Test
    @Requirement("SSE-017")
    void whereNoWholeEventEverPassesTheCallFailsAfterSoManyAttempts() throws Exception {
        attempts = 5;
        connect(roomy(), 1, 0);

        assertThatThrownBy(() -> client.callTool("starve", arguments("s", 5, 7)))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("broke off and could not be resumed");

        proxy.cutAt(2, 1_000);
        assertThat(client.callTool("tell", arguments("later", 1, 7)).text())
                .isEqualTo("told later");
    }
}
