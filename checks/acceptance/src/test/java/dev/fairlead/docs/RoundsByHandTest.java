package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Question;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicInteger;

/** The code of the page on clients for rounds by hand, with a process of its own for each round. */
@Timeout(120)
class RoundsByHandTest {
    private static final CallToolRequest PAY = new CallToolRequest("pay", JsonObject.of("sum", 5));

    /** The answer of the person. */
    record Sure(boolean sure) {}

    /** A client that declares forms, and does not answer them by itself. */
    private static McpClient client(String url) throws InterruptedException {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                .onElicitForm(
                        form -> {
                            throw new AssertionError("rounds by hand ask no handler");
                        })
                .connect(Http.to(url));
    }

    @Test
    @Requirement({"N26-MRTR-007", "N26-MRTR-008"})
    void aQuestionIsAnsweredByAnotherProcess() throws Exception {
        AtomicInteger paid = new AtomicInteger();
        McpServer server =
                McpServer.named("bank", "1")
                        .tool("pay", "Pays a sum", JsonObject.class, String.class)
                        .handle(
                                (input, call) -> {
                                    boolean sure =
                                            call.ask(
                                                            Question.elicit("Sure?", Sure.class)
                                                                    .as("confirm"))
                                                    .orElseThrow()
                                                    .sure();
                                    return sure ? "paid " + paid.incrementAndGet() : "kept";
                                })
                        .build();
        try (server;
                HttpServing serving = server.serve(Http.port(0))) {
            String url = serving.uri().toString();
            String kept = run(FirstRound.class, url);
            JsonObject input = (JsonObject) JsonValue.parse(kept);
            assertThat(input.object("inputRequests").names()).containsExactly("confirm");
            assertThat(input.string("requestState")).isNotEmpty();
            assertThat(run(NextRound.class, url, kept)).isEqualTo("paid 1");
        }
    }

    private static String run(Class<?> program, String... arguments) throws Exception {
        try (ChildProcess child = ChildProcess.start(ChildJvm.command(program, arguments))) {
            return String.join("\n", child.rest());
        }
    }

    /** Prints the questions of the server, as JSON. */
    static final class FirstRound {
        private FirstRound() {}

        public static void main(String... arguments) throws Exception {
            try (McpClient client = client(arguments[0])) {
                System.out.println(ClientSnippets.firstRound(client, PAY));
            }
        }
    }

    /** Answers the questions to another process, and prints the result. */
    static final class NextRound {
        private NextRound() {}

        public static void main(String... arguments) throws Exception {
            try (McpClient client = client(arguments[0])) {
                if (ClientSnippets.nextRound(client, PAY, arguments[1])
                        instanceof Outcome.Complete<CallToolResult>(CallToolResult result)) {
                    System.out.println(result.text());
                }
            }
        }
    }
}
