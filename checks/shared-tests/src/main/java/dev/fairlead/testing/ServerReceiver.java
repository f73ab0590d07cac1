package dev.fairlead.testing;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.ToolDeclaration;
import dev.fairlead.tasks.Tasks;

/** A server whose tool asks a person. */
final class ServerReceiver extends ReceiverBench {
    private static final String METHOD = "tools/call";

    private final McpServer server;

    private ServerReceiver(ScriptedPerson person, McpServer server, RawPeer peer) {
        super(person, peer);
        this.server = server;
    }

    /** Opens a server that runs tasks, see {@link ReceiverBench.Opening}. */
    static ReceiverBench open(Tasks tasks, boolean rerun, Interceptor interceptor) {
        ScriptedPerson person = new ScriptedPerson();
        ToolDeclaration<McpServer.Builder, NoInput, String> tool =
                McpServer.named("receiver", "1")
                        .tasks(tasks)
                        .intercept(
                                (call, next) ->
                                        call.name().equals(METHOD)
                                                ? interceptor.intercept(call, next)
                                                : next.proceed(call))
                        .tool("ask", "Asks a person.", NoInput.class, String.class)
                        .task(TaskSupport.OPTIONAL);
        McpServer server =
                (rerun ? tool.rerunAfterCrash() : tool)
                        .handle((none, call) -> person.ask())
                        .build();
        RawPeer peer = RawPeer.client(server.host());
        peer.initialize(revision());
        return new ServerReceiver(person, server, peer);
    }

    @Override
    String method() {
        return METHOD;
    }

    @Override
    JsonObject params() {
        return JsonObject.of("name", "ask", "arguments", JsonObject.EMPTY);
    }

    @Override
    String said(JsonObject result) {
        return ((JsonObject) result.array("content").elements().getFirst()).string("text");
    }

    @Override
    Result plain() {
        return CallToolResult.text("denied");
    }

    @Override
    public void close() {
        server.close();
        super.close();
    }
}
