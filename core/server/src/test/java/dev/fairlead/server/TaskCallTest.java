package dev.fairlead.server;

import static dev.fairlead.server.Peer.code;
import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.time.temporal.ChronoUnit.MINUTES;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of a handler on its context when it runs as a task. */
class TaskCallTest {
    record Name(String name) {}

    private static final String ASKING =
            "{\"elicitation\": {\"form\": {}, \"url\": {}}, \"sampling\": {}, \"roots\": {}}";

    private static McpServer.Builder server(Handler<NoInput, String> handler) {
        return McpServer.named("s", "1")
                .tool("t", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(handler);
    }

    private static Peer asked(McpServer server) throws Exception {
        return Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, ASKING);
    }

    private static String start(Peer peer) throws Exception {
        return peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                .object("task")
                .string("taskId");
    }

    private static String id(String id) {
        return "{\"taskId\": \"" + id + "\"}";
    }

    private static JsonObject related(String id) {
        return JsonObject.of("io.modelcontextprotocol/related-task", JsonObject.of("taskId", id));
    }

    private static String greet(NoInput none, Call call) throws InterruptedException {
        return "Hello " + call.elicit("Who?", Name.class).orElseThrow().name();
    }

    @Nested
    class AskingInTasks {
        @Test
        @Requirement({
            "TASK-055",
            "TASK-056",
            "TASK-058",
            "TASK-063",
            "TASK-064",
            "ROOM-009",
            "ROOM-012"
        })
        void aQuestionNamesTheTaskWhichWaitsForItsAnswer() throws Exception {
            try (McpServer server = server(TaskCallTest::greet).build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                JsonObject question = peer.next("elicitation/create");

                assertThat(question.object("params").object("_meta")).isEqualTo(related(id));
                assertThat(peer.call("tasks/get", id(id)).string("status"))
                        .isEqualTo("input_required");

                peer.answer(question, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
                peer.await(message -> message.toJson().contains("\"completed\""));
                assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("Hello Ada");
                assertThat(peer.rest())
                        .noneMatch(message -> message.has("id")); // asked exactly once
            }
        }

        /** A client that closes its connection refuses what still reaches it. */
        @Test
        void aQuestionThatALeavingClientRefusesIsAskedAgain() throws Exception {
            try (McpServer server = server(TaskCallTest::greet).build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                JsonObject refused = peer.next("elicitation/create");
                peer.send(
                        """
                        {"jsonrpc": "2.0", "id": %s, "error": {"code": -32603, \
                        "message": "The connection is closing", "data": {"retryable": true}}}\
                        """
                                .formatted(refused.get("id").toJson()));
                Pending result = peer.request("tasks/result", id(id));
                JsonObject again = peer.next("elicitation/create");
                peer.answer(again, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");

                assertThat(text(result.result())).isEqualTo("Hello Ada");
            }
        }

        @Test
        @Requirement({"TASK-034", "TASK-035"})
        void aTaskWorksWaitsForItsAnswerWorksOnAndEnds() throws Exception {
            CountDownLatch answered = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            Handler<NoInput, String> handler =
                    (none, call) -> {
                        String greeting = greet(none, call);
                        answered.countDown();
                        go.await();
                        return greeting;
                    };
            try (McpServer server = server(handler).build();
                    Peer peer = asked(server)) {
                List<String> seen = new ArrayList<>();
                JsonObject created = peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}");
                seen.add(created.object("task").string("status"));
                String id = id(created.object("task").string("taskId"));
                JsonObject question = peer.next("elicitation/create");
                seen.add(peer.call("tasks/get", id).string("status"));
                peer.answer(question, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
                assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
                seen.add(peer.call("tasks/get", id).string("status"));
                go.countDown();
                peer.call("tasks/result", id);
                seen.add(peer.call("tasks/get", id).string("status"));

                assertThat(seen)
                        .containsExactly("working", "input_required", "working", "completed");
            }
        }

        @Test
        @Requirement({"TASK-062", "TASK-084"})
        void theEndOfATaskWithdrawsItsQuestion() throws Exception {
            try (McpServer server = server(TaskCallTest::greet).build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                JsonObject question = peer.next("elicitation/create");
                peer.call("tasks/cancel", id(id));

                assertThat(peer.next("notifications/cancelled").object("params").get("requestId"))
                        .isEqualTo(question.get("id"));
                peer.answer(question, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
                assertThat(peer.call("tasks/get", id(id)).string("status")).isEqualTo("cancelled");
            }
        }

        @Test
        void aModelAndTheRootsCanBeAskedToo() throws Exception {
            try (McpServer server =
                            server((none, call) -> call.sample("hi", 5).text() + call.roots())
                                    .build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                JsonObject sampling = peer.next("sampling/createMessage");
                peer.answer(
                        sampling,
                        """
                        {"role": "assistant", "model": "m", "content": {"type": "text", "text": "ho"}}\
                        """);
                JsonObject roots = peer.next("roots/list");
                peer.answer(roots, "{\"roots\": []}");

                assertThat(sampling.object("params").object("_meta")).isEqualTo(related(id));
                assertThat(roots.object("params").object("_meta")).isEqualTo(related(id));
                assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("ho[]");
            }
        }

        @Test
        @Requirement({"TASK-063", "ELIC-024"})
        void aPageIsReportedAsDoneUnderTheTask() throws Exception {
            try (McpServer server =
                            server(
                                            (none, call) ->
                                                    call.elicitUrl(
                                                                    "Sign in",
                                                                    URI.create("https://a.example"),
                                                                    () -> "token")
                                                            .orElseThrow())
                                    .build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                JsonObject question = peer.next("elicitation/create");
                peer.answer(question, "{\"action\": \"accept\"}");
                JsonObject complete = peer.next("notifications/elicitation/complete");

                assertThat(complete.object("params").object("_meta")).isEqualTo(related(id));
                assertThat(complete.object("params").string("elicitationId"))
                        .isEqualTo(question.object("params").string("elicitationId"));
                assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("token");
            }
        }

        @Test
        @Requirement("ROOM-073")
        void pagesThatMustBeVisitedFirstAreTheErrorOfTheTask() throws Exception {
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                throw new UrlElicitationRequiredException(
                                                        "Sign in first",
                                                        List.of(
                                                                new ElicitUrlRequest(
                                                                        "Sign in",
                                                                        "https://a.example",
                                                                        "7")));
                                            })
                                    .build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                JsonObject error = peer.error("tasks/result", id(id));

                assertThat(error).isEqualTo(peer.error("tools/call", "{\"name\": \"t\"}"));
                assertThat(code(error)).isEqualTo(-32042);
                assertThat(peer.call("tasks/get", id(id)).string("status")).isEqualTo("failed");
            }
        }

        @Test
        void anErrorOfTheClientReachesTheHandler() throws Exception {
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                try {
                                                    return call.sample("hi", 5).text();
                                                } catch (JsonRpcException e) {
                                                    return "refused " + e.code();
                                                }
                                            })
                                    .build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                JsonObject question = peer.next("sampling/createMessage");
                peer.send(
                        """
                        {"jsonrpc": "2.0", "id": %s, "error": {"code": -1, "message": "no"}}\
                        """
                                .formatted(question.get("id")));

                assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("refused -1");
            }
        }
    }

    /** The client has said that it is ready, which the server may be about to handle. */
    private static void untilReachable(Call call) {
        await().until(() -> call.clientSession().isPresent());
    }

    @Nested
    class Notifications {
        private final CountDownLatch told = new CountDownLatch(1);

        @Test
        @Requirement({"TASK-063", "TASK-072", "ROOM-029", "PROG-009", "PROG-010"})
        void progressComesUnderTheTokenOfTheCallAndNamesTheTask() throws Exception {
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                untilReachable(call);
                                                call.progress(1, 2, "half");
                                                told.await();
                                                call.progress(2, 2);
                                                return "done " + call.wantsProgress();
                                            })
                                    .build();
                    Peer peer = asked(server)) {
                String id =
                        peer.call(
                                        "tools/call",
                                        """
                                        {"name": "t", "task": {}, "_meta": {"progressToken": "p"}}\
                                        """)
                                .object("task")
                                .string("taskId");
                JsonObject first = peer.next("notifications/progress");
                Pending waiting = peer.request("tasks/result", id(id));
                told.countDown();
                JsonObject second = peer.next("notifications/progress");

                assertThat(first.object("params"))
                        .isEqualTo(
                                JsonObject.of(
                                        "progressToken",
                                        "p",
                                        "progress",
                                        1,
                                        "total",
                                        2,
                                        "message",
                                        "half",
                                        "_meta",
                                        related(id)));
                assertThat(second.object("params").object("_meta")).isEqualTo(related(id));
                assertThat(text(waiting.result())).isEqualTo("done true");
                assertThat(peer.rest())
                        .noneMatch(message -> message.toString().contains("progressToken"));
            }
        }

        @Test
        @Requirement({"TASK-063", "TASK-068", "TASK-069", "ROOM-030"})
        void statusAndLogMessagesAreSent() throws Exception {
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                untilReachable(call);
                                                call.status("halfway");
                                                call.log(LoggingLevel.WARNING, "careful");
                                                return "done";
                                            })
                                    .build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                JsonObject status = peer.next("notifications/tasks/status").object("params");
                JsonObject log = peer.next("notifications/message").object("params");
                JsonObject end = peer.next("notifications/tasks/status").object("params");

                assertThat(status.string("taskId")).isEqualTo(id);
                assertThat(status.string("statusMessage")).isEqualTo("halfway");
                assertThat(status.has("_meta")).isFalse();
                assertThat(log.object("_meta")).isEqualTo(related(id));
                assertThat(log.string("data")).isEqualTo("careful");
                assertThat(end.string("status")).isEqualTo("completed");
            }
        }
    }

    @Nested
    class Running {
        @Test
        void theTimeThatAPersonTakesMovesTheDeadline() throws Exception {
            ManualTimers timers = new ManualTimers();
            List<Instant> deadlines = new CopyOnWriteArrayList<>();
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tool("t", "Tested", NoInput.class, String.class)
                                    .task(TaskSupport.OPTIONAL)
                                    .timeout(Duration.ofSeconds(10))
                                    .handle(
                                            (none, call) -> {
                                                deadlines.add(call.deadline());
                                                String greeting = greet(none, call);
                                                deadlines.add(call.deadline());
                                                return greeting;
                                            })
                                    .build(timers);
                    Peer peer = asked(server)) {
                Instant start = timers.clock().instant();
                String id = start(peer);
                JsonObject question = peer.next("elicitation/create");
                timers.advance(Duration.ofMinutes(5));
                peer.answer(question, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");

                assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("Hello Ada");
                assertThat(deadlines)
                        .containsExactly(
                                start.plusSeconds(10), start.plusSeconds(10).plus(5, MINUTES));
            }
        }

        @Test
        void aTaskSeesItsCallerAndTheMetadataOfTheCall() throws Exception {
            List<Object> known = new CopyOnWriteArrayList<>();
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                known.add(call.caller());
                                                known.add(call.client().orElseThrow().name());
                                                known.add(call.meta());
                                                known.add(call.method());
                                                known.add(call.revision());
                                                known.add(call.capabilities().roots());
                                                known.add(call.headers("authorization"));
                                                known.add(call.clientSession().isPresent());
                                                return call.task().orElseThrow().value();
                                            })
                                    .build();
                    Peer peer = asked(server)) {
                String id =
                        peer.call(
                                        "tools/call",
                                        """
                                        {"name": "t", "task": {}, "_meta": {"a": 1, "progressToken": 3}}\
                                        """)
                                .object("task")
                                .string("taskId");

                assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo(id);
                assertThat(known)
                        .containsExactly(
                                Caller.anonymous(),
                                "peer",
                                json("{\"a\": 1}"),
                                "tools/call",
                                Revision.V2025_11_25,
                                true,
                                List.of(),
                                true);
            }
        }

        @Test
        void aTaskThatFollowsInitializedReachesItsClient() throws Exception {
            CountDownLatch held = new CountDownLatch(1);
            BlockingQueue<Boolean> reached = new LinkedBlockingQueue<>();
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                call.log(LoggingLevel.INFO, "first");
                                                reached.add(call.clientSession().isPresent());
                                                return "done";
                                            })
                                    .notification("x.example/hold", NoInput.class)
                                    .handle((none, caller) -> held.await())
                                    .build();
                    Peer peer = Peer.raw(server)) {
                peer.initialize(Revision.NEWEST_WITH_HANDSHAKE.date(), "{}");
                peer.notify("x.example/hold", null); // and the notifications after it
                peer.notify("notifications/initialized", null);

                start(peer);

                assertThat(reached.poll(30, TimeUnit.SECONDS)).isTrue();
                assertThat(peer.next("notifications/message").object("params").string("data"))
                        .isEqualTo("first");
                held.countDown();
            }
        }

        @Test
        void aHandlerThatTakesTooLongFailsItsTask() throws Exception {
            CountDownLatch interrupted = new CountDownLatch(1);
            ManualTimers timers = new ManualTimers();
            CountDownLatch begun = new CountDownLatch(1);
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tool("t", "Tested", NoInput.class, String.class)
                                    .task(TaskSupport.OPTIONAL)
                                    .timeout(Duration.ofMinutes(1))
                                    .handle(
                                            (none, call) -> {
                                                begun.countDown();
                                                try {
                                                    new CountDownLatch(1).await();
                                                } catch (InterruptedException e) {
                                                    interrupted.countDown();
                                                    throw e;
                                                }
                                                return "never";
                                            })
                                    .build(timers);
                    Peer peer = asked(server)) {
                String id = start(peer);
                Pending waiting = peer.request("tasks/result", id(id));
                begun.await();
                timers.advance(Duration.ofMinutes(2));
                JsonObject given = waiting.result();

                assertThat(given.bool("isError")).isTrue();
                assertThat(text(given))
                        .isEqualTo("The tool was stopped: it did not end within 60 s");
                assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }

        @Test
        void whatMustNotBeInterruptedIsNot() throws Exception {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch cancelled = new CountDownLatch(1);
            List<Boolean> interrupts = new CopyOnWriteArrayList<>();
            CountDownLatch done = new CountDownLatch(1);
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                call.uncancellable(
                                                        () -> {
                                                            inside.countDown();
                                                            cancelled.await();
                                                            interrupts.add(
                                                                    Thread.currentThread()
                                                                            .isInterrupted());
                                                            return null;
                                                        });
                                                try {
                                                    new CountDownLatch(1).await();
                                                } finally {
                                                    done.countDown();
                                                }
                                                return "";
                                            })
                                    .build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                inside.await();
                peer.call("tasks/cancel", id(id));
                cancelled.countDown();

                assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(interrupts).containsExactly(false); // but afterwards
            }
        }
    }

    @Nested
    class Recording {
        private final AtomicInteger computed = new AtomicInteger();

        private String pay(NoInput none, Call call) throws InterruptedException {
            int price = call.once("price", Integer.class, computed::incrementAndGet);
            List<String> keys = new ArrayList<>();
            for (String key : List.of("a", "b")) {
                keys.add(call.once(key, String.class, call::idempotencyKey));
            }
            call.once("mail", computed::incrementAndGet);
            int again = call.once("price", Integer.class, computed::incrementAndGet);
            assertThat(keys).doesNotHaveDuplicates();
            return price + " " + again + " " + computed;
        }

        @Test
        void aValueIsComputedOnceInATaskAndInAPlainCall() throws Exception {
            try (McpServer server = server(this::pay).build();
                    Peer peer = asked(server)) {
                assertThat(text(peer.callTool("t", "{}"))).isEqualTo("1 1 2");
                assertThat(text(peer.call("tasks/result", id(start(peer))))).isEqualTo("3 3 4");
            }
        }

        @Test
        void whatFailsIsNotRecorded() throws Exception {
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                try {
                                                    call.once(
                                                            "k",
                                                            () -> {
                                                                throw new IOException("first");
                                                            });
                                                } catch (IOException e) {
                                                    return call.once(
                                                            "k", String.class, () -> "second");
                                                }
                                                return "none";
                                            })
                                    .build();
                    Peer peer = asked(server)) {
                assertThat(text(peer.callTool("t", "{}"))).isEqualTo("second");
                assertThat(text(peer.call("tasks/result", id(start(peer))))).isEqualTo("second");
            }
        }

        @Test
        void anIdempotencyKeyIsOnlyThereWhereAValueIsComputed() throws Exception {
            try (McpServer server =
                            server(
                                            (none, call) -> {
                                                assertThatThrownBy(call::idempotencyKey)
                                                        .isInstanceOf(IllegalStateException.class);
                                                return "checked";
                                            })
                                    .build();
                    Peer peer = asked(server)) {
                assertThat(text(peer.callTool("t", "{}"))).isEqualTo("checked");
            }
        }
    }

    @Nested
    class OutsideJobs {
        private final AtomicInteger runs = new AtomicInteger();

        private McpServer.Builder parking() {
            return McpServer.named("s", "1")
                    .tool("t", "Tested", NoInput.class, Name.class)
                    .task(TaskSupport.OPTIONAL)
                    .handle(
                            (none, call) -> {
                                String job = call.once("job", String.class, () -> "job 1");
                                if (runs.incrementAndGet() == 2) {
                                    return new Name("resumed");
                                }
                                return call.park(job);
                            });
        }

        @Test
        void aJobThatIsDoneEndsTheTask() throws Exception {
            try (McpServer server = parking().build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                Pending waiting = peer.request("tasks/result", id(id));
                await().until(() -> server.jobs().finish("t", "job 1", new Name("Ada")));
                JsonObject given = waiting.result();

                assertThat(given.object("structuredContent"))
                        .isEqualTo(json("{\"name\": \"Ada\"}"));
                assertThat(server.jobs().finish("t", "job 1", new Name("Bob"))).isFalse();
            }
        }

        @Test
        void aJobThatFailedFailsTheTask() throws Exception {
            try (McpServer server = parking().build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                await().until(() -> server.jobs().fail("t", "job 1", "out of paper"));

                assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("out of paper");
                assertThat(peer.call("tasks/get", id(id)).string("status")).isEqualTo("failed");
            }
        }

        @Test
        void aParkedTaskResumesWhenItsJobIsDone() throws Exception {
            try (McpServer server = parking().build();
                    Peer peer = asked(server)) {
                String id = start(peer);
                await().until(() -> server.jobs().resume("t", "job 1"));

                assertThat(peer.call("tasks/result", id(id)).object("structuredContent"))
                        .isEqualTo(json("{\"name\": \"resumed\"}"));
            }
        }

        @Test
        void aJobIsLookedAfter() throws Exception {
            ManualTimers timers = new ManualTimers();
            AtomicInteger looks = new AtomicInteger();
            Duration longerThanItMayTake = Duration.ofDays(1);
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tasks(Tasks.inMemory().defaultTtl(longerThanItMayTake))
                                    .callTimeout(longerThanItMayTake)
                                    .tool("t", "Tested", NoInput.class, String.class)
                                    .task(TaskSupport.OPTIONAL)
                                    .pollJob(
                                            Duration.ofSeconds(10),
                                            job ->
                                                    looks.incrementAndGet() < 2
                                                            ? Optional.empty()
                                                            : Optional.of(job + " done"))
                                    .handle((none, call) -> call.park("job 1"))
                                    .build(timers);
                    Peer peer = asked(server)) {
                Pending waiting = peer.request("tasks/result", id(start(peer)));
                await().until(
                                () -> {
                                    timers.advance(Duration.ofMillis(100));
                                    return looks.get() == 2;
                                });

                assertThat(text(waiting.result())).isEqualTo("job 1 done");
            }
        }

        @Test
        void whatIsNoOutputOfTheToolIsRefused() throws Exception {
            try (McpServer server = parking().build()) {
                assertThatThrownBy(() -> server.jobs().finish("t", "job", "text"))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> server.jobs().finish("nobody", "job", "text"))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("there is no tool nobody");
            }
        }

        @Test
        void aPlainCallCannotBeParked() throws Exception {
            try (McpServer server = parking().build();
                    Peer peer = asked(server)) {
                assertThat(peer.callTool("t", "{}").bool("isError")).isTrue();
            }
        }
    }
}
