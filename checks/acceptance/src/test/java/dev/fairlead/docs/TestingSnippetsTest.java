package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.testing.McpTest;
import dev.fairlead.testing.RawPeer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The code of the page on testing. */
class TestingSnippetsTest {
    // @start region="greeter"
    record Person(String name) {}

    record Confirm(boolean sure) {}

    static McpServer.Builder greeter() {
        return McpServer.named("hello", "1.0.0")
                .tool("greet", "Greets a person by name", Person.class, String.class)
                .handle((person, call) -> "Hello, " + person.name() + "!")
                .tool("delete", "Deletes, if the person is sure", NoInput.class, String.class)
                .handle(
                        (none, call) ->
                                call.elicit("Sure?", Confirm.class).orElseThrow().sure()
                                        ? "deleted"
                                        : "kept");
    }

    // @end

    // @start region="in-process"
    @Test
    void greets() throws Exception {
        try (McpServer server = greeter().build();
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.tool("greet", Person.class, String.class).call(new Person("Ada")))
                    .isEqualTo("Hello, Ada!");
        }
    }

    // @end

    // @start region="asked"
    @Test
    void deletesOnlyWhatThePersonIsSureAbout() throws Exception {
        try (McpTest test = McpTest.of(greeter())) {
            McpClient client =
                    test.client(
                            McpClient.named("test", "1")
                                    .onElicitForm(form -> Answer.accept(new Confirm(false))));
            assertThat(client.callTool("delete", JsonObject.EMPTY).text()).isEqualTo("kept");
        }
    }

    // @end

    // @start region="roaming"
    @Test
    void deletesAlthoughTheAnswerMeetsAnotherServer() throws Exception {
        try (McpTest test = McpTest.of(greeter()).roaming()) {
            McpClient client =
                    test.client(
                            McpClient.named("test", "1")
                                    .onElicitForm(form -> Answer.accept(new Confirm(true))));
            assertThat(client.callTool("delete", JsonObject.EMPTY).text()).isEqualTo("deleted");
        }
    }

    // @end

    // @start region="clock"
    @Test
    void aCallThatTakesAnHourIsStopped() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        McpServer.Builder server =
                McpServer.named("slow", "1.0.0")
                        .tool("sleep", "Sleeps until it is woken", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    started.countDown();
                                    new CountDownLatch(1).await();
                                    return "never";
                                });
        try (McpTest test = McpTest.of(server);
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            McpClient client =
                    test.client(McpClient.named("test", "1").requestTimeout(Duration.ofHours(2)));
            Future<CallToolResult> call =
                    executor.submit(() -> client.callTool("sleep", JsonObject.EMPTY));
            started.await();

            test.advance(Duration.ofHours(1)); // the default of callTimeout

            assertThat(call.get().isError()).isTrue();
        }
    }

    // @end

    // @start region="raw"
    @Test
    void anUnknownToolIsAnInvalidParameter() {
        try (McpTest test = McpTest.of(greeter()).revision(Revision.V2025_06_18);
                RawPeer peer = test.rawClient()) {
            peer.send(
                            """
                            {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "nope"}}
                            """)
                    .expect(
                            """
                            {"jsonrpc": "2.0", "id": 7,
                             "error": {"code": -32602, "message": "Unknown tool: nope"}}
                            """);
        }
    }

    // @end

    // @start region="envelope"
    @Test
    void aRawClientSendsRequestsWithoutAHandshake() {
        try (McpTest test = McpTest.of(greeter()).revision(Revision.V2026_07_28);
                RawPeer peer = test.rawClient("{\"elicitation\": {}}")) {
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "delete"}}
                    """);
            assertThat(peer.next().object("result").string("resultType"))
                    .isEqualTo("input_required");
        }
    }

    // @end

    // @start region="raw-server"
    @Test
    void aClientIsTestedByAServerThatIsScripted() throws Exception {
        try (RawPeer server = RawPeer.server();
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<McpClient> connecting =
                    executor.submit(() -> McpClient.connect(server.remote()));
            server.acceptClient("{\"tools\": {}}");
            try (McpClient client = connecting.get()) {
                Future<CallToolResult> call =
                        executor.submit(() -> client.callTool("greet", JsonObject.EMPTY));
                server.respond(
                        server.expectRequest("tools/call"),
                        """
                        {"content": [{"type": "text", "text": "Hello!"}]}
                        """);
                assertThat(call.get().text()).isEqualTo("Hello!");
            }
        }
    }
    // @end
}
