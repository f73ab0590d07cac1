package dev.fairlead.proofs;

import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Call;
import dev.fairlead.stdio.Stdio;

import java.util.List;
import java.util.UUID;

/** A server whose features ask their client, and may run as tasks. As a program over stdio. */
final class AskingServer {
    private static final byte[] KEY = new byte[32];

    private AskingServer() {}

    record Confirm(boolean ok) {}

    public static void main(String[] arguments) throws InterruptedException {
        try (McpServer server = builder().build()) {
            server.serve(Stdio.streams()).await();
        }
    }

    /** Begins a server with the key that all of them have. */
    static McpServer.Builder builder() {
        return McpServer.named("asking", "1")
                .requestState(RequestState.keys(List.of(KEY)))
                .features(features -> ProofServer.asking(features, TaskSupport.OPTIONAL))
                .features(AskingServer::more);
    }

    private static void more(Features<?> features) {
        features.tool("order", "Asks twice", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle((none, call) -> order(call));
        features.tool("log_and_ask", "Reports before it asks", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            call.progress(1, 2, "asking");
                            String answer = name(call);
                            call.progress(2, 2, "asked");
                            return answer;
                        });
        features.prompt("greeting", "Asks for a name", NoInput.class)
                .handle((none, call) -> GetPromptResult.of(PromptMessage.user(name(call))));
        features.resource("proof://name", "name", String.class)
                .handle((request, call) -> name(call));
    }

    private static String name(Call call) throws InterruptedException {
        return call.elicit("Your name?", ProofServer.Name.class).orElseThrow().name();
    }

    /** The token is made once, however often the body starts again. */
    private static String order(Call call) throws InterruptedException {
        String token = call.once("token", String.class, () -> UUID.randomUUID().toString());
        boolean paid = call.elicit("Pay " + token, Confirm.class).orElseThrow().ok();
        boolean wrapped = call.elicit("Wrap " + token, Confirm.class).orElseThrow().ok();
        return token + " " + paid + " " + wrapped;
    }
}
