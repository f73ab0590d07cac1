package dev.fairlead.proofs.restart;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.shared.Rebinding;

import java.util.concurrent.CountDownLatch;

/**
 * A server whose sessions, events and tasks are in one database. As a program: URL of the database,
 * port, 0 for any. It prints one line when it serves.
 */
final class RestartServer {
    static final String SERVING = "serving ";
    static final String WATCHED = "counter://now";

    private RestartServer() {}

    /** The form of the question of a task. */
    record Name(String name) {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Database database = Database.open(arguments[0]);
                McpServer server = server(database)) {
            HttpServing serving =
                    Rebinding.serve(
                            server,
                            Http.port(Integer.parseInt(arguments[1]))
                                    .eventStore(JdbcEvents.on(database)));
            System.out.println(SERVING + serving.uri());
            serving.await();
        }
    }

    private static McpServer server(Database database) {
        McpServer[] self = new McpServer[1];
        self[0] =
                McpServer.named("restart", "1")
                        .tool("hang", "Never ends by itself", NoInput.class, String.class)
                        .handle((none, call) -> hang(call))
                        .tool("touch", "Changes what is watched", NoInput.class, String.class)
                        .handle((none, call) -> touch(self[0], call))
                        .tool("ask", "Asks for a name", NoInput.class, String.class)
                        .task(TaskSupport.REQUIRED)
                        .rerunAfterCrash()
                        .handle(
                                (none, call) ->
                                        call.elicit("Who?", Name.class).orElseThrow().name())
                        .resource(WATCHED, "now", String.class)
                        .handle((request, call) -> "now")
                        .tasks(JdbcTasks.on(database))
                        .build();
        return self[0];
    }

    private static String hang(Call call) throws InterruptedException {
        call.progress(1, 2);
        new CountDownLatch(1).await();
        return "never";
    }

    private static String touch(McpServer server, Call call) {
        call.log(LoggingLevel.INFO, "not wanted");
        call.log(LoggingLevel.ERROR, "wanted");
        server.resourceUpdated(WATCHED);
        return "touched";
    }
}
