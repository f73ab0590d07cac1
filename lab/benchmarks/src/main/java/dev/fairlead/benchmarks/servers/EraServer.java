package dev.fairlead.benchmarks.servers;

import dev.fairlead.http.Http;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Question;
import dev.fairlead.tasks.Tasks;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A server over HTTP for the differences between the eras of the protocol: a plain tool, one that
 * asks its client once, one that becomes a task, and one that changes the list of tools. The
 * argument is its port.
 */
public final class EraServer {
    /** Gives back its text. */
    static final String PLAIN = "echo";

    /** Asks for a name first. */
    static final String ASK = "ask";

    /** Becomes a task. */
    static final String TASK = "task";

    /** Adds a tool. */
    static final String CHANGE = "change";

    private static final int PLENTY = 100_000;

    private EraServer() {}

    /** The arguments of a tool. */
    record Echo(String text) {}

    /** The answer of the client. */
    record Name(String name) {}

    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        try (McpServer server = server()) {
            server.serve(
                            Http.port(Integer.parseInt(arguments[0]))
                                    .maxSessions(PLENTY)
                                    .requestRate(PLENTY, PLENTY))
                    .await();
        }
    }

    private static McpServer server() {
        McpServer[] changed = new McpServer[1];
        changed[0] =
                McpServer.named("eras", "1")
                        .tool(PLAIN, "Gives back its text", Echo.class, String.class)
                        .handle((echo, call) -> echo.text())
                        .tool(ASK, "Asks for a name", Echo.class, String.class)
                        .handle(
                                (echo, call) -> {
                                    call.ask(Question.elicit("Name?", Name.class).as("name"))
                                            .orElseThrow();
                                    return echo.text();
                                })
                        .tool(TASK, "Becomes a task", Echo.class, String.class)
                        .task(TaskSupport.REQUIRED)
                        .handle((echo, call) -> echo.text())
                        .tool(CHANGE, "Adds a tool", Echo.class, String.class)
                        .handle(
                                (echo, call) -> {
                                    changed[0].update(
                                            changes ->
                                                    changes.tool(
                                                                    "added-" + System.nanoTime(),
                                                                    "Was added",
                                                                    NoInput.class,
                                                                    String.class)
                                                            .handle((nothing, added) -> ""));
                                    return echo.text();
                                })
                        .withoutRateLimit()
                        .tasks(Tasks.inMemory().operationsPerSecond(PLENTY))
                        .maxSessions(2 * PLENTY)
                        .maxListenStreams(PLENTY)
                        .maxListenStreamsPerCaller(PLENTY)
                        .build();
        return changed[0];
    }
}
