package dev.fairlead.server;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Question;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Steps that a handler may take between its questions when it starts again with their answers. */
@Timeout(60)
class ReplayTest extends ClosingTest {
    record Name(String name) {}

    private final AtomicInteger bodies = new AtomicInteger();

    private Peer peer(ToolBody body) throws Exception {
        McpServer server =
                McpServer.named("replay", "1")
                        .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                        .tool("ask", "Asks", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    bodies.incrementAndGet();
                                    return body.run(call);
                                })
                        .build();
        closedLater(server);
        Peer peer = Peer.raw(server);
        return closedLater(peer);
    }

    @FunctionalInterface
    private interface ToolBody {
        String run(Call call) throws Exception;
    }

    private static String name(Call call, String question) {
        try {
            return call.elicit(question, Name.class).orElseThrow().name();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonObject send(Peer peer, String more) throws Exception {
        return peer.call(
                "tools/call",
                """
                {"name": "ask", "arguments": {}%s,
                 "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                           "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}}\
                """
                        .formatted(more));
    }

    /** Answers every question of a round with the message of the question and a mark. */
    private static JsonObject answer(Peer peer, JsonObject asked, String mark) throws Exception {
        assertThat(asked.string("resultType")).as(asked.toJson()).isEqualTo("input_required");
        JsonObject requests = asked.object("inputRequests");
        String responses =
                requests.names().stream()
                        .map(
                                key ->
                                        "\"%s\": {\"action\": \"accept\", \"content\": {\"name\": \"%s\"}}"
                                                .formatted(key, message(requests, key) + mark))
                        .collect(Collectors.joining(", ", "{", "}"));
        return send(
                peer,
                ", \"requestState\": \"%s\", \"inputResponses\": %s"
                        .formatted(asked.string("requestState"), responses));
    }

    private static String message(JsonObject requests, String key) {
        return requests.object(key).object("params").string("message");
    }

    private static List<String> messages(JsonObject asked) {
        JsonObject requests = asked.object("inputRequests");
        return requests.names().stream().map(key -> message(requests, key)).toList();
    }

    @Test
    @Requirement("N26-MRTR-016")
    void threadsOfAnExecutorAsk() throws Exception {
        Peer peer =
                peer(
                        call -> {
                            try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
                                List<Future<String>> names = new ArrayList<>();
                                for (String question : List.of("a", "b", "c")) {
                                    names.add(threads.submit(() -> name(call, question)));
                                }
                                StringBuilder all = new StringBuilder();
                                for (Future<String> name : names) {
                                    all.append(name.get());
                                }
                                return all.toString();
                            }
                        });
        JsonObject asked = send(peer, "");
        for (int round = 0; asked.has("inputRequests"); round++) {
            assertThat(round).isLessThan(3);
            asked = answer(peer, asked, "!");
        }
        assertThat(Peer.text(asked)).isEqualTo("a!b!c!");
    }

    @Test
    void aParallelStreamAsks() throws Exception {
        Peer peer =
                peer(
                        call ->
                                Stream.of("a", "b", "c", "d")
                                        .parallel()
                                        .map(question -> name(call, question))
                                        .collect(Collectors.joining()));
        JsonObject asked = send(peer, "");
        for (int round = 0; asked.has("inputRequests"); round++) {
            assertThat(round).isLessThan(4);
            asked = answer(peer, asked, "!");
        }
        assertThat(Peer.text(asked)).isEqualTo("a!b!c!d!");
    }

    @Test
    @Requirement("N26-MRTR-016")
    void anAnswerStaysThoughARunEndsBeforeItsQuestion() throws Exception {
        Peer peer =
                peer(
                        call -> {
                            // another thread is faster in the second run
                            String c = bodies.get() > 1 ? name(call, "c") : "";
                            var one = Question.elicit("a", Name.class);
                            var other = Question.elicit("b", Name.class).as("other");
                            var answers = call.ask(one, other);
                            return answers.to(one).orElseThrow().name()
                                    + answers.to(other).orElseThrow().name()
                                    + c;
                        });
        JsonObject second = answer(peer, send(peer, ""), "!");
        assertThat(messages(second)).containsExactly("c");
        assertThat(Peer.text(answer(peer, second, "!"))).isEqualTo("a!b!c!");
        assertThat(bodies).hasValue(3);
    }

    @Test
    void aMalformedAnswerIsRefusedThoughItsQuestionIsNotAskedAgain() throws Exception {
        Peer peer = peer(call -> name(call, "question " + bodies.get()));
        JsonObject asked = send(peer, "");
        String key = asked.object("inputRequests").names().iterator().next();
        for (String answer : List.of("7", "{\"roots\": []}")) {
            assertThatThrownBy(
                            () ->
                                    send(
                                            peer,
                                            """
                                            , "requestState": "%s", "inputResponses": {"%s": %s}\
                                            """
                                                    .formatted(
                                                            asked.string("requestState"),
                                                            key,
                                                            answer)))
                    .hasMessageContaining(
                            "inputResponses." + key + " is no answer to its question");
        }
    }

    @Test
    void theSameQuestionIsAskedAgainByItsCount() throws Exception {
        Peer peer = peer(call -> name(call, "Who?") + " and " + name(call, "Who?"));
        JsonObject first = send(peer, "");
        JsonObject second = answer(peer, first, " 1");
        assertThat(messages(second)).containsExactly("Who?");
        assertThat(second.object("inputRequests").names())
                .doesNotContainAnyElementsOf(first.object("inputRequests").names());
        assertThat(Peer.text(answer(peer, second, " 2"))).isEqualTo("Who? 1 and Who? 2");
        assertThat(bodies).hasValue(3);
    }

    @Test
    void theSameQuestionTwiceInOneRoundHasTwoKeys() throws Exception {
        Peer peer =
                peer(
                        call -> {
                            var one = Question.elicit("Who?", Name.class);
                            var other = Question.elicit("Who?", Name.class);
                            var answers = call.ask(one, other);
                            return answers.to(one).orElseThrow().name()
                                    + answers.to(other).orElseThrow().name();
                        });
        JsonObject asked = send(peer, "");
        assertThat(messages(asked)).containsExactly("Who?", "Who?");
        assertThat(Peer.text(answer(peer, asked, "!"))).isEqualTo("Who?!Who?!");
    }

    @Test
    void anAnswerIsFoundWhenTheOrderOfQuestionsHasChanged() throws Exception {
        AtomicBoolean turned = new AtomicBoolean();
        Peer peer =
                peer(
                        call -> {
                            String first = turned.get() ? "b" : "a";
                            String second = turned.get() ? "a" : "b";
                            return name(call, first) + name(call, second);
                        });
        JsonObject first = send(peer, "");
        assertThat(messages(first)).containsExactly("a");
        JsonObject second = answer(peer, first, "1");
        assertThat(messages(second)).containsExactly("b");
        turned.set(true);

        assertThat(Peer.text(answer(peer, second, "2"))).isEqualTo("b2a1");
        assertThat(bodies).hasValue(3);
    }

    @Test
    void cleanUpRunsInEachRound() throws Exception {
        AtomicInteger locks = new AtomicInteger();
        AtomicInteger cleanedUp = new AtomicInteger();
        Peer peer =
                peer(
                        call -> {
                            assertThat(locks.incrementAndGet()).isOne();
                            try {
                                return name(call, "a") + name(call, "b");
                            } finally {
                                locks.decrementAndGet();
                                cleanedUp.incrementAndGet();
                            }
                        });
        JsonObject asked = answer(peer, send(peer, ""), "!");
        assertThat(locks).hasValue(0);
        assertThat(cleanedUp).hasValue(2);
        assertThat(Peer.text(answer(peer, asked, "!"))).isEqualTo("a!b!");
        assertThat(cleanedUp).hasValue(3);
        assertThat(bodies).hasValue(3);
    }

    @Test
    void aValueThatIsComputedWhenTheRoundEndsIsComputedOnce() throws Exception {
        AtomicInteger charges = new AtomicInteger();
        AtomicBoolean answered = new AtomicBoolean();
        Peer peer =
                peer(
                        call -> {
                            Thread caller = Thread.currentThread();
                            CountDownLatch charging = new CountDownLatch(1);
                            Thread.startVirtualThread(
                                    () ->
                                            charge(
                                                    call,
                                                    () -> {
                                                        charging.countDown();
                                                        await().until(
                                                                        () ->
                                                                                answered.get()
                                                                                        || isWaiting(
                                                                                                caller));
                                                        return charges.incrementAndGet();
                                                    }));
                            if (bodies.get() == 1) { // it has been computed in the second run
                                charging.await();
                            }
                            return name(call, "a") + charge(call, charges::incrementAndGet);
                        });
        JsonObject asked = send(peer, "");
        answered.set(true);
        assertThat(Peer.text(answer(peer, asked, "!"))).isEqualTo("a!1");
        assertThat(charges).hasValue(1);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static int charge(Call call, Callable<Integer> action) {
        try {
            return call.once("charge", Integer.class, action::call);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void noValueIsComputedThatTheNextRoundWouldComputeAgain() throws Exception {
        AtomicInteger charges = new AtomicInteger();
        CountDownLatch answered = new CountDownLatch(1);
        CompletableFuture<Integer> late = new CompletableFuture<>();
        Peer peer =
                peer(
                        call -> {
                            if (bodies.get() == 1) {
                                late.completeAsync(
                                        () -> {
                                            awaitUnchecked(answered);
                                            return charge(call, charges::incrementAndGet);
                                        });
                            }
                            return name(call, "a") + charge(call, charges::incrementAndGet);
                        });
        JsonObject asked = send(peer, "");
        answered.countDown();
        assertThat(late)
                .failsWithin(30, TimeUnit.SECONDS)
                .withThrowableThat()
                .withStackTraceContaining(
                        "tools/call of tool ask has ended and cannot record charge");
        assertThat(Peer.text(answer(peer, asked, "!"))).isEqualTo("a!1");
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void threadsThatNeedTheSameValueAtTheSameTimeComputeItOnce() throws Exception {
        AtomicInteger charges = new AtomicInteger();
        CountDownLatch charging = new CountDownLatch(1);
        Peer peer =
                peer(
                        call -> {
                            FutureTask<Integer> other =
                                    new FutureTask<>(
                                            () -> {
                                                charging.await();
                                                return charge(call, charges::incrementAndGet);
                                            });
                            Thread thread = Thread.startVirtualThread(other);
                            int one =
                                    charge(
                                            call,
                                            () -> {
                                                charging.countDown();
                                                await().until(
                                                                () ->
                                                                        other.isDone()
                                                                                || isWaiting(
                                                                                        thread));

                                                return charges.incrementAndGet();
                                            });
                            return one + " " + other.get();
                        });
        assertThat(Peer.text(send(peer, ""))).isEqualTo("1 1");
        assertThat(charges).hasValue(1);
    }
}
