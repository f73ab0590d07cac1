package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Handlers that ask in other threads, in cleanup and within catch blocks, on each carrier. */
class QuestionsInOddPlacesTest {
    record Name(String name) {}

    private static final String ALL = "{\"elicitation\": {\"form\": {}}}";
    private static final String ADA = "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}";

    enum Carrier {
        ROUNDS,
        HELD,
        SESSION,
        TASK
    }

    /** A handler that gets as many answers as the number of its questions. */
    enum Odd {
        ASKED_WITHIN_CATCH(1) {
            @Override
            String handle(Call call) {
                try {
                    return ask(call, "a");
                } catch (Exception e) {
                    return "swallowed";
                }
            }
        },
        ASKED_BY_TWO_THREADS(2) {
            @Override
            String handle(Call call) throws Exception {
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    var one = threads.submit(() -> ask(call, "a"));
                    var other = threads.submit(() -> ask(call, "b"));
                    return one.get() + other.get();
                }
            }
        },
        ASKED_IN_CLEANUP_AFTER_A_THROWN_ONE(2, 1) {
            @Override
            String handle(Call call) throws Exception {
                String cleanup = "";
                String answer = "";
                try {
                    answer = thrown(call);
                } finally {
                    cleanup = ask(call, "a");
                }
                return answer + cleanup;
            }
        },
        ASKED_BY_A_RESOURCE_THAT_IS_CLOSED(2, 1) {
            @Override
            String handle(Call call) throws Exception {
                StringBuilder answers = new StringBuilder();
                try (AutoCloseable resource = () -> answers.append(ask(call, "a"))) {
                    answers.append(thrown(call));
                }
                return answers.toString();
            }
        },
        THROWN_BY_A_FUTURE(1) {
            @Override
            String handle(Call call) {
                return CompletableFuture.supplyAsync(() -> thrown(call)).join();
            }
        },
        THROWN_BY_AN_EXECUTOR(1) {
            @Override
            String handle(Call call) throws Exception {
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    return threads.submit(() -> thrown(call)).get();
                }
            }
        },
        THROWN_BY_REFLECTION(1) {
            @Override
            String handle(Call call) throws Exception {
                return (String)
                        Odd.class.getDeclaredMethod("thrown", Call.class).invoke(null, call);
            }
        },
        THROWN_AND_WRAPPED_TWICE(1) {
            @Override
            String handle(Call call) {
                return CompletableFuture.supplyAsync(
                                () -> {
                                    try {
                                        return thrown(call);
                                    } catch (InputRequiredException e) {
                                        throw new CompletionException(new CompletionException(e));
                                    }
                                })
                        .join();
            }
        },
        THROWN_WITHIN_A_RECORDED_VALUE(1) {
            @Override
            String handle(Call call) throws Exception {
                return call.once("value", String.class, () -> thrown(call));
            }
        };

        private final int questions;

        /**
         * The number of questions that are asked again by requests, when the handler is entered
         * again.
         */
        private final int repeated;

        Odd(int questions) {
            this(questions, 0);
        }

        Odd(int questions, int repeated) {
            this.questions = questions;
            this.repeated = repeated;
        }

        abstract String handle(Call call) throws Exception;

        static String ask(Call call, String key) throws InterruptedException {
            return call.ask(Question.elicit(key + "?", Name.class).as(key)).orElseThrow().name();
        }

        static String thrown(Call call) {
            Retry retry =
                    call.retry()
                            .orElseThrow(
                                    () ->
                                            new InputRequiredException(
                                                    List.of(
                                                            Question.elicit("?", Name.class)
                                                                    .as("t")),
                                                    null));
            return retry.answers().get("t").object("content").string("name");
        }
    }

    static Stream<Arguments> all() {
        return Stream.of(Odd.values())
                .flatMap(
                        odd ->
                                Stream.of(Carrier.values())
                                        .map(carrier -> Arguments.of(odd, carrier)));
    }

    private static McpServer server(Odd odd, Carrier carrier) {
        var tool =
                McpServer.named("s", "1")
                        .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                        .tool(new Tool("t", JsonObject.of("type", "object")));
        switch (carrier) {
            case HELD -> tool.holdsWhileAsking();
            case TASK -> tool.task(TaskSupport.OPTIONAL);
            case ROUNDS, SESSION -> {}
        }
        return tool.handle((request, call) -> CallToolResult.text(odd.handle(call))).build();
    }

    @ParameterizedTest
    @MethodSource("all")
    void eachQuestionReachesTheClientAndItsAnswerTheHandler(Odd odd, Carrier carrier)
            throws Exception {
        try (McpServer server = server(odd, carrier)) {
            assertThat(
                            switch (carrier) {
                                case ROUNDS, HELD -> inRounds(server);
                                case SESSION, TASK -> inASession(server, odd, carrier);
                            })
                    .isEqualTo("Ada".repeat(odd.questions));
        }
    }

    private static String inRounds(McpServer server) throws Exception {
        try (Peer peer = Peer.raw(server)) {
            JsonObject answer = peer.call("tools/call", params(""));
            while (answer.string("resultType").equals("input_required")) {
                String responses =
                        answer.object("inputRequests").names().stream()
                                .map(key -> "\"%s\": %s".formatted(key, ADA))
                                .collect(Collectors.joining(", "));
                answer =
                        peer.call(
                                "tools/call",
                                params(
                                        ", \"inputResponses\": {%s}, \"requestState\": \"%s\""
                                                .formatted(
                                                        responses, answer.string("requestState"))));
            }
            return Peer.text(answer);
        }
    }

    private static String params(String members) {
        return """
        {"name": "t", "arguments": {}%s, "_meta": {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": %s}}\
        """
                .formatted(members, ALL);
    }

    private static String inASession(McpServer server, Odd odd, Carrier carrier) throws Exception {
        try (Peer peer = Peer.of(server, Revision.V2025_11_25, ALL)) {
            Pending call = carrier == Carrier.TASK ? null : peer.startTool("t", "{}");
            String task =
                    call != null
                            ? null
                            : peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                                    .object("task")
                                    .string("taskId");
            for (int i = 0; i < odd.questions + odd.repeated; i++) {
                peer.answer(peer.next("elicitation/create"), ADA);
            }
            return Peer.text(
                    call != null
                            ? call.result()
                            : peer.call("tasks/result", "{\"taskId\": \"%s\"}".formatted(task)));
        }
    }
}
