package dev.fairlead.proofs.restart;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A client whose own tasks are on disk. As a program: URI of the server, file of the tasks, and the
 * task of an earlier process where there was one. It prints a line for each event. The first
 * process never gets an answer of its person; the second one gets it at once, and connects after a
 * line on standard input.
 */
final class DeskClient {
    private DeskClient() {}

    /** The answer of the person. */
    record Name(String name) {}

    public static void main(String[] arguments) throws Exception {
        boolean first = arguments.length == 2;
        try (Database database = Database.sqlite(Path.of(arguments[1]));
                McpClient client =
                        McpClient.named("desk", "1") // servers ask it by requests
                                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                                .onElicitForm(
                                        form -> {
                                            System.out.println("asked " + form.message());
                                            if (first) {
                                                new CountDownLatch(1).await();
                                            }
                                            return Answer.accept(new Name("Ada"));
                                        })
                                .tasks(JdbcTasks.on(database))
                                .rerunAfterCrash()
                                .lazy()
                                .connect(Http.to(URI.create(arguments[0])))) {
            if (first) {
                begin(client);
            } else {
                System.in.read();
                TaskHandle<String> task = client.task(new TaskId(arguments[2]), String.class);
                System.out.println("result " + task.await(Duration.ofMinutes(2)));
            }
        }
    }

    private static void begin(McpClient client) throws InterruptedException {
        var task = client.startTool(new CallToolRequest("report", JsonObject.EMPTY));
        System.out.println("task " + task.id().orElseThrow());
        task.await();
    }
}
