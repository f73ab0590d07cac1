package dev.fairlead.acceptance;

import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Call;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.shared.ProofServer;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A server whose features ask their client, and may run as tasks. As a program over stdio. */
final class AskingServer {
    private static final byte[] KEY = new byte[32];

    /** The states of all servers of the process, by the name that the caller chose. */
    private static final ConcurrentHashMap<String, State> WAITS = new ConcurrentHashMap<>();

    private AskingServer() {}

    record Confirm(boolean ok) {}

    record Order(String tea, int grams) {}

    record Receipt(Order order, double price, List<String> extras) {}

    record Wait(String name) {}

    record Waiting(@Nullable State state) {}

    enum State {
        begun,
        interrupted
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (McpServer server = create()) {
            server.serve(Stdio.streams()).await();
        }
    }

    static McpServer create() {
        AtomicReference<McpServer> self = new AtomicReference<>();
        McpServer server = builder(self::get).build();
        self.set(server);
        return server;
    }

    /**
     * Begins a server with the key that all of them have.
     *
     * @param changing the server that the tool {@code change} adds a tool to
     */
    static McpServer.Builder builder(Supplier<McpServer> changing) {
        return McpServer.named("asking", "1")
                .requestState(RequestState.keys(List.of(KEY)))
                .features(features -> ProofServer.asking(features, TaskSupport.OPTIONAL))
                .features(AskingServer::more)
                .features(features -> changing(features, changing));
    }

    private static void more(Features<?> features) {
        features.tool("order", "Asks twice", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle((none, call) -> order(call));
        features.tool("log_and_ask", "Reports between two questions", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            report(call, 1, "asking");
                            String answer = name(call);
                            report(call, 2, "asked");
                            call.elicit("Really?", ProofServer.Name.class);
                            return answer;
                        });
        features.tool("quote", "Asks before it answers", Order.class, Receipt.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (order, call) -> {
                            boolean iced = call.elicit("Iced?", Confirm.class).orElseThrow().ok();
                            return new Receipt(
                                    order, order.grams() / 8.0, iced ? List.of("ice") : List.of());
                        });
        features.tool("wait", "Asks, and waits until it is cancelled", Wait.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(AskingServer::await);
        features.tool("waiting", "How a call of wait stands", Wait.class, Waiting.class)
                .handle((wait, call) -> new Waiting(WAITS.get(wait.name())));
        features.prompt("greeting", "Asks for a name", NoInput.class)
                .handle((none, call) -> GetPromptResult.of(PromptMessage.user(name(call))));
        features.resource("proof://name", "name", String.class)
                .handle((request, call) -> name(call));
    }

    private static void changing(Features<?> features, Supplier<McpServer> server) {
        features.tool("change", "Asks, and adds a tool", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            String tool = name(call);
                            server.get()
                                    .update(
                                            changes ->
                                                    changes.tool(
                                                                    tool,
                                                                    "Late",
                                                                    NoInput.class,
                                                                    String.class)
                                                            .handle((late, its) -> "late"));
                            return tool;
                        });
    }

    private static String await(Wait wait, Call call) throws InterruptedException {
        name(call);
        WAITS.put(wait.name(), State.begun);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            WAITS.put(wait.name(), State.interrupted);
            throw e;
        }
        return "";
    }

    private static void report(Call call, int step, String message) {
        call.progress(step, 2, message);
        call.log(LoggingLevel.WARNING, "asking", JsonValue.of(message));
        call.status(message);
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
