package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.lifecycle.ListCapability;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolExecution;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server whose requests code of its author answers, and sessions that outlive calls. */
final class DelegateTest {
    private final Answering delegate = new Answering();
    private final McpServer server = McpServer.named("delegating", "1").delegate(delegate).build();

    @AfterEach
    void close() {
        server.close();
    }

    /** Answers in a few words, and keeps the session that it met last. */
    private static final class Answering implements Delegate {
        private volatile @Nullable ClientSession session;
        private final CountDownLatch rootsChanged = new CountDownLatch(1);

        private void meet(Call call) {
            session = call.clientSession().orElseThrow();
        }

        ClientSession session() {
            ClientSession met = session;
            assertThat(met).isNotNull();
            return met;
        }

        @Override
        public ServerCapabilities capabilities() {
            return new ServerCapabilities(
                    new ListCapability(true),
                    new ServerCapabilities.Resources(true, null, JsonObject.EMPTY),
                    null,
                    null,
                    JsonObject.EMPTY, // logging
                    new TasksCapability().taking("tools/call"),
                    null,
                    null,
                    JsonObject.EMPTY);
        }

        @Override
        public ListToolsResult listTools(PaginatedRequest request, Call call) {
            return new ListToolsResult(
                    List.of(
                            new Tool("any", JsonObject.of("type", "object"))
                                    .withExecution(
                                            new ToolExecution()
                                                    .withTaskSupport(TaskSupport.REQUIRED))),
                    null);
        }

        @Override
        public CallToolResult callTool(CallToolRequest request, Call call) {
            meet(call);
            assertThat(request.task()).isNull();
            if (request.name().equals("asking")) {
                return CallToolResult.text(
                        call.retry()
                                .orElseThrow(
                                        () ->
                                                new InputRequiredException(
                                                        List.of(Question.roots().as("r")), null))
                                .answers()
                                .toString());
            }
            return CallToolResult.text(request.name() + " " + call.wantsProgress());
        }

        @Override
        public ListResourcesResult listResources(PaginatedRequest request, Call call) {
            return new ListResourcesResult(List.of(), null);
        }

        @Override
        public ListResourceTemplatesResult listResourceTemplates(
                PaginatedRequest request, Call call) {
            return new ListResourceTemplatesResult(List.of(), null);
        }

        @Override
        public ReadResourceResult readResource(ReadResourceRequest request, Call call) {
            throw JsonRpcException.invalidParams("no resource");
        }

        @Override
        public void subscribe(String uri, Call call) {
            if (uri.endsWith("none")) {
                throw JsonRpcException.invalidParams("no resource");
            }
        }

        @Override
        public void unsubscribe(String uri, Call call) {}

        @Override
        public ListPromptsResult listPrompts(PaginatedRequest request, Call call) {
            return new ListPromptsResult(List.of(), null);
        }

        @Override
        public GetPromptResult getPrompt(GetPromptRequest request, Call call) {
            throw JsonRpcException.invalidParams("no prompt");
        }

        @Override
        public CompleteResult complete(CompleteRequest request, Call call) {
            throw JsonRpcException.invalidParams("no completion");
        }

        @Override
        public void setLoggingLevel(LoggingLevel level, Call call) {}

        @Override
        public void rootsChanged(ClientSession changed) {
            if (changed.equals(session)) {
                rootsChanged.countDown();
            }
        }
    }

    @Test
    void requestsAreAnsweredByTheDelegateAsTheyAre() throws Exception {
        try (Peer peer = Peer.of(server)) {
            assertThat(peer.call("tools/list", "{}").toJson()).contains("\"any\"");
            assertThat(Peer.text(peer.callTool("unlisted", "{}"))).isEqualTo("unlisted false");
            assertThat(peer.error("prompts/list", "{}").integer("code")).isEqualTo(-32601);
            assertThat(Peer.text(peer.startTool("x", "{}").result())).isEqualTo("x true");
        }
    }

    @Test
    @Requirement({"TASK-004", "TASK-009"})
    void nothingBecomesATask() throws Exception {
        try (Peer peer = Peer.raw(server)) {
            JsonObject initialized = peer.initialize("2025-11-25", "{}");

            assertThat(initialized.object("capabilities").has("tasks")).isFalse();
            assertThat(peer.call("tools/list", "{}").toJson()).doesNotContain("execution");
            for (String task : List.of("{}", "{\"ttl\": -1}", "7")) {
                assertThat(
                                Peer.text(
                                        peer.call(
                                                "tools/call",
                                                "{\"name\": \"x\", \"task\": " + task + "}")))
                        .isEqualTo("x false");
            }
        }
    }

    @Test
    void aServerWithADelegateHasNoTasksOfItsOwn() {
        assertThatThrownBy(
                        () ->
                                McpServer.named("s", "1")
                                        .delegate(new Answering())
                                        .tasks(Tasks.inMemory())
                                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a server with a delegate has no tasks of its own");
    }

    @Test
    void aDelegateMayThrowItsQuestions() throws Exception {
        try (Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"roots\": {}}")) {
            Pending call = peer.startTool("asking", "{}");
            peer.answer(peer.next("roots/list"), "{\"roots\": []}");
            assertThat(Peer.text(call.result())).isEqualTo("{r={\"roots\":[]}}");
        }
    }

    @Test
    void aSessionCanReceiveNotificationsAndRequestsOutsideOfCalls() throws Exception {
        try (Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"roots\": {}}")) {
            peer.callTool("meet", "{}");
            ClientSession session = delegate.session();
            session.toolsChanged();
            peer.next("notifications/tools/list_changed");

            peer.call("resources/subscribe", "{\"uri\": \"a://b\"}");
            peer.error("resources/subscribe", "{\"uri\": \"a://none\"}");
            session.resourceUpdated("a://none");
            session.resourceUpdated("a://b");
            assertThat(peer.next("notifications/resources/updated").toJson()).contains("a://b");

            session.log(LoggingLevel.DEBUG, null, JsonValue.of("too fine"));
            session.log(LoggingLevel.ERROR, null, JsonValue.of("odd"));
            assertThat(peer.next("notifications/message").toJson()).contains("odd");

            Thread.ofVirtual().start(() -> ask(session));
            JsonObject question = peer.next("roots/list");
            peer.answer(question, "{\"roots\": [{\"uri\": \"file:///x\"}]}");
            assertThat(peer.next("own").toJson()).contains("file:///x");
        }
    }

    private static void ask(ClientSession session) {
        try {
            session.notify("own", JsonObject.of("root", session.requests().roots().get(0).uri()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void rootChangesAndTheEndOfASessionReachTheDelegate() throws Exception {
        CountDownLatch ended = new CountDownLatch(2);
        try (Peer peer = Peer.of(server)) {
            peer.callTool("meet", "{}");
            delegate.session().onClose(ended::countDown);
            peer.notify("notifications/roots/list_changed", null);
            assertThat(delegate.rootsChanged.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(ended.getCount()).isEqualTo(2);
        }
        delegate.session().onClose(ended::countDown); // at once, or with the end
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aServerWithADelegateHasNoFeaturesOfItsOwn() {
        McpServer.Builder both =
                McpServer.named("both", "1")
                        .delegate(delegate)
                        .tool("x", "x", NoInput.class, String.class)
                        .handle((none, call) -> "");
        assertThatThrownBy(both::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "a server with a delegate has no tools, resources and prompts of its own");
    }
}
