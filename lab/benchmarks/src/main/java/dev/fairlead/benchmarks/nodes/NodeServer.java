package dev.fairlead.benchmarks.nodes;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.Peers;
import dev.fairlead.jdbc.Database;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A node, as a program: URL of the database, port, and whether it forwards to others. It prints its
 * port, and a line for each handler that has run, which outlives it.
 */
public final class NodeServer {
    private static final int PLENTY = 1_000_000;

    private NodeServer() {}

    /** The number of a call, which no other has. */
    record Numbered(long number) {}

    /** The form of a question. */
    record Reply(String text) {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Logger.getLogger("").setLevel(Level.OFF);
        try (Database database = Database.open(arguments[0]);
                McpServer server = server(database)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            HttpListener port = Http.port(Integer.parseInt(arguments[1]));
            HttpServing serving =
                    server.serve(
                            Boolean.parseBoolean(arguments[2])
                                    ? port.peers(Peers.listen("127.0.0.1", 0))
                                    : port);
            say("port " + serving.port());
            serving.await();
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static McpServer server(Database database) {
        return McpServer.named("node", "1")
                .withoutRateLimit()
                .maxNotificationsPerSecond(PLENTY)
                .store(database)
                .tasks(
                        database.tasks()
                                .maxRunning(PLENTY)
                                .maxPerOwner(PLENTY)
                                .operationsPerSecond(PLENTY))
                .tool("echo", "Answers at once", Numbered.class, String.class)
                .handle((call, context) -> answer(call))
                .tool("run", "Answers, and counts", Numbered.class, String.class)
                .handle((call, context) -> ran(call))
                .tool("ask", "Asks its client", Numbered.class, String.class)
                .handle(
                        (call, context) -> {
                            context.elicit("Number " + call.number() + "?", Reply.class);
                            return ran(call);
                        })
                .tool("hold", "Asks its client, and waits", Numbered.class, String.class)
                .holdsWhileAsking()
                .handle(
                        (call, context) -> {
                            context.elicit("Number " + call.number() + "?", Reply.class);
                            return ran(call);
                        })
                .tool("work", "Runs as a task", Numbered.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .rerunAfterCrash()
                .handle((call, context) -> answer(call))
                .tool("wait", "Asks its client, as a task", Numbered.class, String.class)
                .task(TaskSupport.REQUIRED)
                .rerunAfterCrash()
                .handle(
                        (call, context) -> {
                            context.elicit("Number " + call.number() + "?", Reply.class);
                            return answer(call);
                        })
                .build();
    }

    private static String answer(Numbered call) {
        return "done " + call.number();
    }

    private static String ran(Numbered call) {
        say("ran " + call.number());
        return answer(call);
    }
}
