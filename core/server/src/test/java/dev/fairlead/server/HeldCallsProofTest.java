package dev.fairlead.server;

import static dev.fairlead.server.HeldCallsTest.ALL;
import static dev.fairlead.server.HeldCallsTest.TOOL;
import static dev.fairlead.server.HeldCallsTest.accepted;
import static dev.fairlead.server.HeldCallsTest.again;
import static dev.fairlead.server.HeldCallsTest.ask;
import static dev.fairlead.server.HeldCallsTest.begin;
import static dev.fairlead.server.HeldCallsTest.name;
import static dev.fairlead.server.HeldCallsTest.params;
import static dev.fairlead.server.HeldCallsTest.retry;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.HeldCallsTest.Name;
import dev.fairlead.server.HeldCallsTest.Nothing;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.handler.Question;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Held calls in so many rounds that each outcome of a race occurs, and with answers that fill their
 * share of the heap.
 */
@Tag("proof")
class HeldCallsProofTest {
    private final ManualTimers timers = new ManualTimers();
    private final AtomicInteger bodies = new AtomicInteger();

    private McpServer.Builder server(Handler<Nothing, String> handler) {
        return McpServer.named("held", "1")
                .tool("held", "Asks", Nothing.class, String.class)
                .holdsWhileAsking()
                .handle(
                        (nothing, call) -> {
                            bodies.incrementAndGet();
                            return handler.handle(nothing, call);
                        });
    }

    /**
     * Many questions keep two retries between the look at the phase and its change for so long that
     * both get there.
     */
    @Test
    @Requirement("N26-MRTR-014")
    void ofTwoRetriesThatAreValidatedAtTheSameTimeOneContinues() throws Exception {
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "k" + i).toList();
        String answers =
                keys.stream()
                        .map(key -> "\"" + key + "\": " + accepted("A"))
                        .collect(Collectors.joining(", ", "{", "}"));
        try (McpServer server = server((nothing, call) -> askAll(call, keys)).build(timers);
                Peer one = Peer.raw(server);
                Peer two = Peer.raw(server);
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 40; i++) {
                String retry = again(begin(one), answers, "");
                CyclicBarrier start = new CyclicBarrier(2);
                List<Future<JsonObject>> responses = new ArrayList<>();
                for (Peer peer : List.of(one, two)) {
                    responses.add(
                            threads.submit(
                                    () -> {
                                        start.await();
                                        return peer.response("tools/call", retry);
                                    }));
                }
                JsonObject first = responses.get(0).get();
                JsonObject second = responses.get(1).get();
                assertThat(List.of(first.has("result"), second.has("result")))
                        .containsExactlyInAnyOrder(true, false);
                JsonObject error = (first.has("error") ? first : second).object("error");
                assertThat(error.object("data").string("reason")).isEqualTo("call_gone");
                assertThat(bodies).hasValue(i + 1);
            }
        }
    }

    /** There are so many answers that the body mostly ends while they are validated. */
    @Test
    @Requirement("N26-MRTR-014")
    void aRetryThatIsValidatedWhileTheBodyEndsGetsTheOutcome() throws Exception {
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "k" + i).toList();
        String answers =
                keys.stream()
                        .map(key -> "\"" + key + "\": " + accepted("A"))
                        .collect(Collectors.joining(", ", "{", "}"));
        Semaphore mayEnd = new Semaphore(0);
        Handler<Nothing, String> handler =
                (nothing, call) -> {
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            askAll(call, keys);
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
                    mayEnd.acquire();
                    return "ended";
                };
        try (McpServer server = server(handler).withoutRateLimit().build(timers);
                Peer peer = Peer.raw(server);
                ExecutorService threads = Executors.newFixedThreadPool(1)) {
            for (int i = 0; i < 200; i++) {
                JsonObject asked = begin(peer);
                CyclicBarrier start = new CyclicBarrier(2);
                Future<JsonObject> result =
                        threads.submit(
                                () -> {
                                    start.await();
                                    return retry(peer, asked, answers);
                                });
                start.await();
                spin(i % 20 * 200);
                mayEnd.release();
                assertThat(Peer.text(result.get())).isEqualTo("ended");
            }
        }
    }

    private String askAll(Call call, List<String> keys) throws InterruptedException {
        List<Question<Answer<Name>>> questions = new ArrayList<>();
        keys.forEach(key -> questions.add(Question.elicit("Name?", Name.class).as(key)));
        Answers all =
                call.ask(
                        questions.get(0),
                        questions.get(1),
                        questions.subList(2, keys.size()).toArray(new Question<?>[0]));
        return all.to(questions.get(0)).orElseThrow().name();
    }

    /** The cancellation comes before, while, or after the body asks. */
    @Test
    @Requirement("N26-CANC-002")
    void aCancellationThatRacesWithAQuestionEndsTheCallOrComesTooLate() throws Exception {
        Semaphore begun = new Semaphore(0);
        try (McpServer server =
                        server(
                                        (nothing, call) -> {
                                            begun.release();
                                            return ask(call, "first");
                                        })
                                .withoutRateLimit()
                                .build(timers);
                Peer peer = Peer.raw(server)) {
            for (int i = 0; i < 1_000; i++) {
                Pending call = peer.request("tools/call", params(ALL, TOOL, ""));
                assertThat(begun.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                spin(i % 50 * 100);
                call.cancel();
                await().until(() -> server.heldCalls() == 0 || peer.hasMessage());
                if (peer.hasMessage()) { // the call waits for its retry
                    JsonObject asked = call.result();
                    JsonObject result = retry(peer, asked, name("first", "A"));
                    assertThat(Peer.text(result)).isEqualTo("A");
                    assertThat(begun.availablePermits()).isZero();
                }
            }
            await().until(() -> server.heldCalls() == 0);
            assertThat(peer.hasMessage()).isFalse();
        }
    }

    /** The body ends before, while, or after another of its threads asks. */
    @Test
    void anEndThatRacesWithAQuestionOfAnotherThreadReleasesThatThread() throws Exception {
        AtomicInteger spins = new AtomicInteger();
        LinkedBlockingQueue<Thread> asking = new LinkedBlockingQueue<>();
        try (McpServer server =
                        server(
                                        (nothing, call) -> {
                                            CountDownLatch begun = new CountDownLatch(1);
                                            asking.add(
                                                    Thread.ofVirtual()
                                                            .start(
                                                                    () -> {
                                                                        begun.countDown();
                                                                        askOrStop(call);
                                                                    }));
                                            begun.await();
                                            spin(spins.get());
                                            return "ended";
                                        })
                                .withoutRateLimit()
                                .build(timers);
                Peer peer = Peer.raw(server)) {
            for (int i = 0; i < 20_000; i++) {
                spins.set(i % 100 * 20);
                JsonObject result = begin(peer);
                if (result.string("resultType").equals("input_required")) {
                    result = retry(peer, result, name("first", "A"));
                }
                assertThat(Peer.text(result)).isEqualTo("ended");
                assertThat(asking.take().join(Duration.ofSeconds(30))).isTrue();
            }
        }
    }

    private static void askOrStop(Call call) {
        try {
            ask(call, "first");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Requirement("N26-MRTR-015")
    void answersThatWaitForOthersCountAmongTheBytesOfTheirCaller() throws Exception {
        String large = "x".repeat((int) (HeapPlan.HELD_CALLS.bytes() / 8 / 4 * 3));
        try (McpServer server =
                        server(
                                        (nothing, call) -> {
                                            var one = Question.elicit("One?", Name.class).as("one");
                                            var two = Question.elicit("Two?", Name.class).as("two");
                                            Answers answers = call.ask(one, two);
                                            return answers.to(one).orElseThrow().name().length()
                                                    + answers.to(two).orElseThrow().name();
                                        })
                                .build();
                Peer peer = Peer.raw(server)) {
            JsonObject first = begin(peer);
            JsonObject second = begin(peer);
            first = retry(peer, first, name("one", large));
            JsonObject error = peer.error("tools/call", again(second, name("one", large), ""));
            assertThat(error.string("message")).contains("too many bytes");
            assertThat(Peer.text(retry(peer, first, name("two", "B"))))
                    .isEqualTo(large.length() + "B");
            second = retry(peer, second, name("one", large)); // there is room again
            assertThat(Peer.text(retry(peer, second, name("two", "B"))))
                    .isEqualTo(large.length() + "B");
        }
    }
}
