package dev.fairlead.server;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Handlers that wait for a client of revision 2026-07-28, and run once. */
@Timeout(60)
class HeldCallsTest {
    record Nothing() {}

    record Name(String name) {}

    static final String ALL =
            "{\"elicitation\": {\"form\": {}, \"url\": {}}, \"sampling\": {}, \"roots\": {}}";
    private static final List<byte[]> KEYS = List.of("0123456789abcdef0123456789abcdef".getBytes());

    private final ManualTimers timers = new ManualTimers();
    private final AtomicInteger bodies = new AtomicInteger();
    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();

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

    /** Asks for two names, one after the other. */
    private McpServer.Builder asking() {
        return server(
                (nothing, call) -> {
                    try {
                        return ask(call, "first") + " " + ask(call, "second");
                    } catch (InterruptedException e) {
                        events.add(
                                call.isCancelled() + ": " + call.cancellationReason().orElse(""));
                        throw e;
                    }
                });
    }

    static String ask(Call call, String key) throws InterruptedException {
        return call.ask(Question.elicit("Name?", Name.class).as(key)).orElseThrow().name();
    }

    static String params(String capabilities, String members, String meta) {
        return """
        {%s, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                       "io.modelcontextprotocol/clientCapabilities": %s%s}}\
        """
                .formatted(members, capabilities, meta);
    }

    static final String TOOL = "\"name\": \"held\", \"arguments\": {}";

    static JsonObject begin(Peer peer) throws Exception {
        return peer.call("tools/call", params(ALL, TOOL, ""));
    }

    static String again(JsonObject asked, String responses, String meta) {
        return params(
                ALL,
                TOOL
                        + ", \"inputResponses\": "
                        + responses
                        + ", \"requestState\": \""
                        + asked.string("requestState")
                        + "\"",
                meta);
    }

    static JsonObject retry(Peer peer, JsonObject asked, String responses) throws Exception {
        return peer.call("tools/call", again(asked, responses, ""));
    }

    static String name(String key, String name) {
        return "{\"%s\": %s}".formatted(key, accepted(name));
    }

    static String accepted(String name) {
        return "{\"action\": \"accept\", \"content\": {\"name\": \"" + name + "\"}}";
    }

    private static void assertGone(Peer peer, JsonObject asked, String responses) throws Exception {
        JsonObject error = peer.error("tools/call", again(asked, responses, ""));
        assertThat(Peer.code(error)).isEqualTo(-32602);
        assertThat(error.object("data").string("reason")).isEqualTo("call_gone");
    }

    private String event() throws InterruptedException {
        String event = events.poll(30, TimeUnit.SECONDS);
        assertThat(event).as("nothing happened").isNotNull();
        return event;
    }

    @Nested
    class Rounds {
        @Test
        @Requirement({"N26-MRTR-001", "N26-MRTR-003", "N26-MRTR-016"})
        void theBodyRunsOnceAndGetsTheAnswersOfEachRound() throws Exception {
            try (McpServer server = asking().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject first = begin(peer);
                assertThat(first.string("resultType")).isEqualTo("input_required");
                assertThat(first.object("inputRequests").names()).containsExactly("first");
                JsonObject second = retry(peer, first, name("first", "Ada"));
                assertThat(second.object("inputRequests").names()).containsExactly("second");
                JsonObject result = retry(peer, second, name("second", "Lovelace"));
                assertThat(result.string("resultType")).isEqualTo("complete");
                assertThat(Peer.text(result)).isEqualTo("Ada Lovelace");
                assertThat(bodies).hasValue(1);
            }
        }

        @Test
        @Requirement({"N26-MRTR-001", "N26-MRTR-003"})
        void aBodyOfTheRecordsOfTheSpecificationGetsTheWholeRequest() throws Exception {
            try (McpServer server =
                            McpServer.named("held", "1")
                                    .tool(new Tool("held", JsonObject.of("type", "object")))
                                    .holdsWhileAsking()
                                    .handle(
                                            (request, call) ->
                                                    CallToolResult.text(
                                                            request.name()
                                                                    + request.arguments().toJson()
                                                                    + ask(call, "first")))
                                    .build();
                    Peer peer = Peer.raw(server)) {
                assertThat(Peer.text(retry(peer, begin(peer), name("first", "A"))))
                        .isEqualTo("held{}A");
            }
        }

        @Test
        @Requirement({"N26-MRTR-001", "N26-MRTR-003"})
        void aBlockingBodyHasOnePlatformThreadOverAllRounds() throws Exception {
            List<Thread> threads = new CopyOnWriteArrayList<>();
            try (McpServer server =
                            McpServer.named("held", "1")
                                    .tool("held", "Asks", Nothing.class, String.class)
                                    .blocking()
                                    .holdsWhileAsking()
                                    .handle(
                                            (nothing, call) -> {
                                                threads.add(Thread.currentThread());
                                                String first = ask(call, "first");
                                                threads.add(Thread.currentThread());
                                                String second = ask(call, "second");
                                                threads.add(Thread.currentThread());
                                                return first + " " + second;
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject second = retry(peer, begin(peer), name("first", "A"));
                assertThat(Peer.text(retry(peer, second, name("second", "B")))).isEqualTo("A B");
                assertThat(threads).hasSize(3);
                assertThat(threads).allMatch(thread -> thread == threads.get(0));
                assertThat(threads.get(0).isVirtual()).isFalse();
                threads.get(0).join(Duration.ofSeconds(30));
                assertThat(threads.get(0).isAlive()).isFalse();
                begin(peer);
                server.close(); // interrupts the body
                threads.get(3).join(Duration.ofSeconds(30));
                assertThat(threads.get(3).isAlive()).isFalse();
            }
        }

        @Test
        @Requirement("N26-MRTR-017")
        void whatIsMissingIsAskedAgainAndWhatIsMalformedIsRefusedWhileTheBodyWaits()
                throws Exception {
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                var one =
                                                        Question.elicit("One?", Name.class)
                                                                .as("one");
                                                var two =
                                                        Question.elicit("Two?", Name.class)
                                                                .as("two");
                                                var roots = Question.roots();
                                                Answers answers = call.ask(one, two, roots);
                                                return answers.to(one).orElseThrow().name()
                                                        + answers.to(two).orElseThrow().name()
                                                        + answers.to(roots);
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                assertThat(asked.object("inputRequests").size()).isEqualTo(3);
                JsonObject malformed =
                        peer.error("tools/call", again(asked, "{\"one\": {\"action\": 1}}", ""));
                assertThat(Peer.code(malformed)).isEqualTo(-32602);
                assertThat(malformed.string("message")).contains("inputResponses.one");
                JsonObject rest = retry(peer, asked, name("two", "B"));
                assertThat(rest.object("inputRequests").names()).hasSize(2).contains("one");
                assertGone(peer, asked, name("two", "X"));
                String roots =
                        rest.object("inputRequests").names().stream()
                                .filter(key -> !key.equals("one"))
                                .findFirst()
                                .orElseThrow();
                JsonObject result =
                        retry(
                                peer,
                                rest,
                                "{\"one\": %s, \"%s\": {\"roots\": []}, \"two\": %s, \"x\": {}}"
                                        .formatted(accepted("A"), roots, accepted("ignored")));
                assertThat(Peer.text(result)).isEqualTo("AB[]");
                assertThat(bodies).hasValue(1);
            }
        }

        @Test
        @Requirement("N26-MRTR-006")
        void aRetryThatDeclaresLessIsNotAskedAgain() throws Exception {
            try (McpServer server = asking().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                String less = again(asked, "{}", "").replace(ALL, "{\"roots\": {}}");
                assertThat(Peer.code(peer.error("tools/call", less))).isEqualTo(-32021);
                String answered = again(asked, name("first", "A"), "").replace(ALL, "{}");
                assertThat(Peer.code(peer.error("tools/call", answered))).isEqualTo(-32021);
                assertThat(bodies).hasValue(1);
                assertGone(peer, asked, name("first", "A")); // the handler has ended by its failure
            }
        }

        @Test
        void progressAndLogAndCapabilitiesAreThoseOfTheRound() throws Exception {
            AtomicReference<Call> held = new AtomicReference<>();
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                held.set(call);
                                                call.progress(1, 3);
                                                call.log(LoggingLevel.INFO, "one");
                                                ask(call, "first");
                                                call.log(LoggingLevel.INFO, "two");
                                                call.progress(2, 3);
                                                return call.capabilities().sampling()
                                                        + " "
                                                        + call.meta().string("round");
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked =
                        peer.call(
                                "tools/call",
                                params(ALL, TOOL, ", \"progressToken\": 1, \"round\": \"1\""));
                assertThat(token(peer.next("notifications/progress"))).isEqualTo(1);
                Call call = held.get();
                call.progress(1.5, 3);
                call.log(LoggingLevel.ERROR, "between");
                assertThat(call.wantsProgress()).isFalse();
                assertThat(call.isCancelled()).isFalse();
                String retry =
                        again(
                                        asked,
                                        name("first", "A"),
                                        ", \"progressToken\": 2, \"round\": \"2\","
                                                + " \"io.modelcontextprotocol/logLevel\": \"info\"")
                                .replace("\"sampling\": {}, ", "");
                assertThat(Peer.text(peer.call("tools/call", retry))).isEqualTo("false 2");
                assertThat(token(peer.next("notifications/progress"))).isEqualTo(2);
                assertThat(peer.next("notifications/message").object("params").string("data"))
                        .isEqualTo("two");
                peer.initialize("2025-11-25", "{}");
                assertThat(peer.rest()).isEmpty();
            }
        }

        private long token(JsonObject progress) {
            return Long.parseLong(
                    String.valueOf(progress.object("params").get("progressToken").toJson()));
        }

        @Test
        void valuesAreRecordedAndThreadsAskOneAfterTheOther() throws Exception {
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                String token =
                                                        call.once("token", String.class, () -> "t");
                                                List<CompletableFuture<String>> asked =
                                                        new ArrayList<>();
                                                for (String key : List.of("x", "y")) {
                                                    asked.add(
                                                            CompletableFuture.supplyAsync(
                                                                    () -> {
                                                                        try {
                                                                            return ask(call, key);
                                                                        } catch (
                                                                                InterruptedException
                                                                                        e) {
                                                                            throw new IllegalStateException(
                                                                                    e);
                                                                        }
                                                                    },
                                                                    task ->
                                                                            Thread.ofVirtual()
                                                                                    .start(task)));
                                                }
                                                return token
                                                        + call.once(
                                                                "token",
                                                                String.class,
                                                                () -> "other")
                                                        + asked.get(0).get()
                                                        + asked.get(1).get();
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                String key = asked.object("inputRequests").names().iterator().next();
                JsonObject other = retry(peer, asked, name(key, key));
                String second = other.object("inputRequests").names().iterator().next();
                assertThat(List.of(key, second)).containsExactlyInAnyOrder("x", "y");
                assertThat(Peer.text(retry(peer, other, name(second, second)))).isEqualTo("ttxy");
            }
        }

        @Test
        void aBodyThatAsksAgainAndAgainEndsAfterSixteenRounds() throws Exception {
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                while (true) {
                                                    ask(call, "name");
                                                }
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                for (int round = 2; round <= 16; round++) {
                    asked = retry(peer, asked, name("name", "A"));
                }
                JsonObject error = peer.error("tools/call", again(asked, name("name", "A"), ""));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(error.string("message")).contains("16 rounds");
            }
        }

        @Test
        void aClientThatNeverAnswersEndsTheCallAfterSixteenRounds() throws Exception {
            try (McpServer server = asking().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                for (int round = 2; round <= 16; round++) {
                    asked = retry(peer, asked, "{}");
                }
                JsonObject error = peer.error("tools/call", again(asked, "{}", ""));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(event()).isEqualTo("true: the client was asked in too many rounds");
            }
        }

        @Test
        void aCallEndsWhoseQuestionsCannotBeSent() throws Exception {
            RequestState tiny = RequestState.keys(KEYS).maxBytes(10);
            try (McpServer server = asking().requestState(tiny).build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error = peer.error("tools/call", params(ALL, TOOL, ""));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(event()).isEqualTo("true: the questions could not be sent");
            }
        }

        @Test
        void whatTheHandlerThrowsIsAskedAndTheHandlerEnteredAgainInTheSameCall() throws Exception {
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                if (call.retry().isEmpty()) {
                                                    throw new InputRequiredException(
                                                            List.of(
                                                                    Question.elicit(
                                                                                    "Name?",
                                                                                    Name.class)
                                                                            .as("thrown")),
                                                            JsonValue.of("own"));
                                                }
                                                if (bodies.get() == 2) {
                                                    throw new UrlElicitationRequiredException(
                                                            List.of(
                                                                    new ElicitUrlRequest(
                                                                            "Visit",
                                                                            "https://example.com/",
                                                                            "id")));
                                                }
                                                return bodies + " " + call.retry().get().answers();
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                JsonObject page = retry(peer, asked, name("thrown", "A"));
                assertThat(page.object("inputRequests").object("page_1").object("params"))
                        .isEqualTo(
                                JsonObject.of(
                                        "mode",
                                        "url",
                                        "message",
                                        "Visit",
                                        "url",
                                        "https://example.com/"));
                assertThat(Peer.text(retry(peer, page, "{\"page_1\": {\"action\": \"accept\"}}")))
                        .startsWith("3 {page_1=");
            }
        }

        @Test
        void interceptorsSeeEachRound() throws Exception {
            LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
            Interceptor interceptor =
                    (method, next) -> {
                        Outcome<?> outcome = next.proceed(method);
                        seen.add(method.name() + " " + outcome.getClass().getSimpleName());
                        return outcome;
                    };
            try (McpServer server = asking().intercept(interceptor).build();
                    Peer peer = Peer.raw(server)) {
                JsonObject second = retry(peer, begin(peer), name("first", "A"));
                assertThat(Peer.text(retry(peer, second, name("second", "B")))).isEqualTo("A B");
            }
            assertThat(seen)
                    .filteredOn(line -> line.startsWith("tools/call"))
                    .containsExactly(
                            "tools/call InputRequired",
                            "tools/call InputRequired",
                            "tools/call Complete");
        }
    }

    @Nested
    class Elsewhere {
        @Test
        void inASessionTheThreadWaitsAnyhow() throws Exception {
            try (McpServer server = asking().build();
                    Peer peer =
                            Peer.of(
                                    server,
                                    Revision.V2025_11_25,
                                    "{\"elicitation\": {\"form\": {}}}")) {
                Pending call = peer.request("tools/call", "{" + TOOL + "}");
                peer.answer(peer.next("elicitation/create"), accepted("A"));
                peer.answer(peer.next("elicitation/create"), accepted("B"));
                assertThat(Peer.text(call.result())).isEqualTo("A B");
                assertThat(bodies).hasValue(1);
            }
        }

        @Test
        void aToolThatBecomesATaskLaterWouldStartAgain() {
            assertThatThrownBy(
                            () ->
                                    McpServer.named("held", "1")
                                            .tool("t", "T", Nothing.class, String.class)
                                            .task(TaskSupport.OPTIONAL)
                                            .taskLater()
                                            .holdsWhileAsking()
                                            .handle((nothing, call) -> ""))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("holdsWhileAsking");
        }
    }

    @Nested
    class Ends {
        @Test
        @Requirement("N26-MRTR-014")
        void aStateIsUsedOnlyOnce() throws Exception {
            try (McpServer server = asking().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject first = begin(peer);
                JsonObject second = retry(peer, first, name("first", "A"));
                assertGone(peer, first, name("first", "B")); // it went on
                assertThat(Peer.text(retry(peer, second, name("second", "C")))).isEqualTo("A C");
                assertGone(peer, second, name("second", "D")); // it has ended
                assertThat(bodies).hasValue(1);
            }
        }

        @Test
        @Requirement("N26-MRTR-014")
        void onlyOneOfManyConcurrentRetriesContinues() throws Exception {
            CountDownLatch all = new CountDownLatch(1);
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                String name = ask(call, "first");
                                                all.await();
                                                return name;
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                List<Pending> retries = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    retries.add(
                            peer.request("tools/call", again(asked, name("first", "" + i), "")));
                }
                int gone = 0;
                for (int i = 0; i < 19; i++) {
                    JsonObject error = peer.await(message -> message.has("error")).object("error");
                    assertThat(error.object("data").string("reason")).isEqualTo("call_gone");
                    gone++;
                }
                all.countDown();
                JsonObject result = peer.await(message -> message.has("result"));
                assertThat(retries)
                        .extracting(Pending::id)
                        .contains(Long.parseLong(result.get("id").toJson()));
                assertThat(gone).isEqualTo(19);
                assertThat(bodies).hasValue(1);
            }
        }

        @Test
        @Requirement("N26-MRTR-015")
        void anotherServerWithTheSameKeysDoesNotKnowTheCall() throws Exception {
            try (McpServer one = asking().requestState(RequestState.keys(KEYS)).build();
                    McpServer other = asking().requestState(RequestState.keys(KEYS)).build();
                    Peer peer = Peer.raw(one);
                    Peer second = Peer.raw(other)) {
                JsonObject asked = begin(peer);
                assertGone(second, asked, name("first", "A"));
                assertThat(bodies).hasValue(1);
                assertThat(retry(peer, asked, name("first", "A")).object("inputRequests").names())
                        .containsExactly("second"); // it still waits where it is
            }
        }

        @Test
        void aStateOfAHandlerThatStartedAgainNeverStartsAHeldOne() throws Exception {
            try (McpServer before =
                            McpServer.named("held", "1")
                                    .requestState(RequestState.keys(KEYS))
                                    .tool("held", "Asks", Nothing.class, String.class)
                                    .handle((nothing, call) -> ask(call, "first"))
                                    .build();
                    McpServer after = asking().requestState(RequestState.keys(KEYS)).build();
                    Peer peer = Peer.raw(before);
                    Peer second = Peer.raw(after)) {
                assertGone(second, begin(peer), name("first", "A"));
                JsonObject error =
                        second.error(
                                "tools/call",
                                params(
                                        ALL,
                                        TOOL + ", \"inputResponses\": " + name("first", "A"),
                                        ""));
                assertThat(error.object("data").string("reason")).isEqualTo("call_gone");
                assertThat(bodies).hasValue(0);
            }
        }

        @Test
        @Requirement({"N26-MRTR-012", "N26-MRTR-013"})
        void aStateOfOtherArgumentsIsRefusedAndTheCallWaitsOn() throws Exception {
            try (McpServer server =
                            asking().tool("other", "Asks", Nothing.class, String.class)
                                    .holdsWhileAsking()
                                    .handle((nothing, call) -> ask(call, "first"))
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                JsonObject error =
                        peer.error(
                                "tools/call",
                                again(asked, name("first", "A"), "").replace("held", "other"));
                assertThat(error.object("data").string("reason"))
                        .isEqualTo("invalid_request_state");
                assertThat(retry(peer, asked, name("first", "A")).has("inputRequests")).isTrue();
            }
        }

        @Test
        @Requirement("N26-MRTR-015")
        void anAbandonedCallIsInterruptedAfterTenMinutes() throws Exception {
            try (McpServer server = asking().build(timers);
                    Peer peer = Peer.raw(server)) {
                JsonObject first = begin(peer);
                timers.advance(Duration.ofMinutes(9));
                JsonObject second = retry(peer, first, name("first", "A"));
                timers.advance(Duration.ofMinutes(9)); // each round has its own time
                assertThat(events).isEmpty();
                timers.advance(Duration.ofSeconds(59));
                assertThat(events).isEmpty();
                timers.advance(Duration.ofSeconds(1));
                assertThat(event()).isEqualTo("true: the client did not answer within 10 min");
                JsonObject late = peer.error("tools/call", again(second, name("second", "B"), ""));
                assertThat(Peer.code(late)).isEqualTo(-32602);
            }
        }

        @Test
        void theQuestionTimeoutOfTheServerHolds() throws Exception {
            try (McpServer server =
                            asking().questionTimeout(Duration.ofMinutes(2))
                                    .requestState(RequestState.keys(KEYS).ttl(Duration.ofHours(1)))
                                    .build(timers);
                    Peer peer = Peer.raw(server)) {
                JsonObject first = begin(peer);
                timers.advance(Duration.ofMinutes(2));
                assertThat(event()).isEqualTo("true: the client did not answer within 2 min");
                assertGone(peer, first, name("first", "A"));
            }
        }

        @Test
        @Requirement("N26-CANC-002")
        void aClientThatCancelsInTheMiddleOfARoundInterruptsTheBody() throws Exception {
            CountDownLatch never = new CountDownLatch(1);
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                String name = ask(call, "first");
                                                call.uncancellable(() -> events.add("waits"));
                                                try {
                                                    never.await();
                                                } catch (InterruptedException e) {
                                                    events.add(
                                                            call.isCancelled()
                                                                    + call.cancellationReason()
                                                                            .orElse(""));
                                                }
                                                try {
                                                    return ask(call, "second");
                                                } catch (InterruptedException e) {
                                                    events.add("asks nothing more");
                                                    throw e;
                                                }
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                Pending call = peer.request("tools/call", again(asked, name("first", "A"), ""));
                assertThat(event()).isEqualTo("waits");
                peer.notify(
                        "notifications/cancelled",
                        "{\"requestId\": %s, \"reason\": \"left\"}".formatted(call.id()));
                assertThat(event()).isEqualTo("trueleft");
                assertThat(event()).isEqualTo("asks nothing more");
                assertGone(peer, asked, name("first", "A"));
                peer.initialize("2025-11-25", "{}");
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        void aRoundThatTakesTooLongIsInterrupted() throws Exception {
            CountDownLatch never = new CountDownLatch(1);
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                ask(call, "first");
                                                events.add("waits");
                                                never.await();
                                                return "never";
                                            })
                                    .callTimeout(Duration.ofSeconds(1))
                                    .build(timers);
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = begin(peer);
                timers.advance(Duration.ofMinutes(5)); // between rounds the client has its time
                Pending call = peer.request("tools/call", again(asked, name("first", "A"), ""));
                assertThat(event()).isEqualTo("waits");
                timers.advance(Duration.ofSeconds(1));
                JsonObject result = call.result();
                assertThat(result.bool("isError")).isTrue();
                assertThat(Peer.text(result)).contains("did not end within 1 s");
            }
        }

        @Test
        void anInterruptDoesNotHitWhatMustNotBeCancelled() throws Exception {
            CountDownLatch release = new CountDownLatch(1);
            try (McpServer server =
                            server(
                                            (nothing, call) -> {
                                                call.uncancellable(
                                                        () -> {
                                                            events.add("inside");
                                                            release.await();
                                                            events.add(
                                                                    "done "
                                                                            + Thread.currentThread()
                                                                                    .isInterrupted());
                                                            return null;
                                                        });
                                                try {
                                                    new CountDownLatch(1).await();
                                                } catch (InterruptedException e) {
                                                    events.add("interrupted afterwards");
                                                }
                                                return "";
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                Pending call = peer.request("tools/call", params(ALL, TOOL, ""));
                assertThat(event()).isEqualTo("inside");
                call.cancel();
                peer.initialize("2025-11-25", "{}"); // it comes after the cancellation
                release.countDown();
                assertThat(event()).isEqualTo("done false");
                assertThat(event()).isEqualTo("interrupted afterwards");
            }
        }

        @Test
        void closingInterruptsWhatWaits() throws Exception {
            try (McpServer server = asking().build();
                    Peer peer = Peer.raw(server)) {
                begin(peer);
                server.close();
                assertThat(event()).isEqualTo("true: the server is closing");
            }
        }
    }

    @Nested
    class Limits {
        private void assertRefused(JsonObject error, String option) {
            assertThat(Peer.code(error)).isEqualTo(-32603);
            assertThat(error.object("data").bool("retryable")).isTrue();
            assertThat(error.string("message")).contains(option);
        }

        @Test
        @Requirement("N26-MRTR-015")
        void aCallBeyondTheLimitOfItsCallerIsRefusedBeforeItsBody() throws Exception {
            try (McpServer server = asking().maxHeldCallsPerCaller(1).build(timers);
                    Peer one = Peer.raw(server);
                    Peer two = Peer.raw(server)) {
                JsonObject asked = begin(one);
                assertRefused(
                        one.error("tools/call", params(ALL, TOOL, "")), "maxHeldCallsPerCaller");
                assertThat(bodies).hasValue(1);
                begin(two); // each connection of anonymous callers is counted by itself
                assertThat(bodies).hasValue(2);
                JsonObject second = retry(one, asked, name("first", "A"));
                retry(one, second, name("second", "B"));
                begin(one); // the place is free again
                timers.advance(Duration.ofMinutes(10));
                event();
                event();
                await().until(() -> server.heldCalls() == 0);
                begin(one);
            }
        }

        @Test
        void thereAreOnlySoManyInAll() throws Exception {
            try (McpServer server = asking().maxHeldCalls(2).build();
                    Peer one = Peer.raw(server);
                    Peer two = Peer.raw(server)) {
                begin(one);
                begin(two);
                assertRefused(two.error("tools/call", params(ALL, TOOL, "")), "maxHeldCalls");
            }
        }

        @Test
        void anAnswerIsStillTakenWhenAllPlacesAreTaken() throws Exception {
            try (McpServer server = asking().maxHeldCalls(1).build();
                    Peer peer = Peer.raw(server)) {
                JsonObject second = retry(peer, begin(peer), name("first", "A"));
                assertThat(Peer.text(retry(peer, second, name("second", "B")))).isEqualTo("A B");
            }
        }
    }

    @Test
    void aDeclinedAnswerReachesTheBody() throws Exception {
        try (McpServer server =
                        server(
                                        (nothing, call) ->
                                                String.valueOf(
                                                        call.elicit("Name?", Name.class)
                                                                .equals(Answer.decline())))
                                .build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer);
            String key = asked.object("inputRequests").names().iterator().next();
            assertThat(
                            Peer.text(
                                    retry(
                                            peer,
                                            asked,
                                            "{\"" + key + "\": {\"action\": \"decline\"}}")))
                    .isEqualTo("true");
        }
    }
}
