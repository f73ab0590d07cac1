package dev.fairlead.proofs.restart;

import static dev.fairlead.protocol.tools.TaskSupport.REQUIRED;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.stdio.Stdio;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A server over standard input and output whose tasks are in an SQLite file. The first run of a
 * task never ends, a later one does at once. As a program: the folder of the file.
 */
final class StdioTaskServer {
    static final Duration POLL = Duration.ofMillis(200);

    private StdioTaskServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[0]);
        try (Database database = Database.sqlite(folder.resolve("tasks.db"));
                McpServer server =
                        McpServer.named("tasks", "1")
                                .tool(
                                        "steady",
                                        "Runs again after a crash",
                                        NoInput.class,
                                        Long.class)
                                .task(REQUIRED)
                                .rerunAfterCrash()
                                .handle((none, call) -> run(folder.resolve("steady")))
                                .tool("fragile", "Runs once alone", NoInput.class, Long.class)
                                .task(REQUIRED)
                                .handle((none, call) -> run(folder.resolve("fragile")))
                                .tool(
                                        "pid",
                                        "The number of this process",
                                        NoInput.class,
                                        Long.class)
                                .handle((none, call) -> pid())
                                .tasks(JdbcTasks.on(database).pollInterval(POLL))
                                .build()) {
            server.serve(Stdio.streams()).await();
        }
    }

    private static long run(Path begun) throws IOException, InterruptedException {
        try {
            Files.createFile(begun);
        } catch (FileAlreadyExistsException e) {
            return pid();
        }
        new CountDownLatch(1).await();
        throw new AssertionError("it was killed");
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }
}
