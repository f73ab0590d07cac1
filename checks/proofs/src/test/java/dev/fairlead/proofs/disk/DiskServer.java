package dev.fairlead.proofs.disk;

import dev.fairlead.http.Http;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A server whose sessions, events and tasks are in a database on a small disk, which its tools fill
 * and free. As a program: the folder that is the disk. It prints its address when it serves.
 */
final class DiskServer {
    private static final int RESULT = 20_000;

    private final Path filler;
    private volatile CountDownLatch free = new CountDownLatch(0);

    private DiskServer(Path folder) {
        filler = folder.resolve("filler");
    }

    /** The value that a task records. */
    record Number(int number) {}

    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[0]);
        try (Database database = Database.sqlite(folder.resolve("all.db"));
                McpServer server = new DiskServer(folder).server(database)) {
            var events = JdbcEvents.on(database);
            System.out.println(server.serve(Http.port(0).eventStore(events)).uri());
            new CountDownLatch(1).await();
        }
    }

    private McpServer server(Database database) {
        return McpServer.named("disk", "1")
                .tool("remember", "Remembers a number", Number.class, String.class)
                .task(TaskSupport.REQUIRED)
                .rerunAfterCrash()
                .handle((input, call) -> remembered(input.number()))
                .tool("outlast", "Ends while the disk is full", Number.class, String.class)
                .task(TaskSupport.REQUIRED)
                .rerunAfterCrash()
                .handle(
                        (input, call) -> {
                            free.await();
                            return remembered(input.number());
                        })
                .tool("tell", "Answers by a stream", NoInput.class, String.class)
                .handle((none, call) -> report(call))
                .tool("fill", "Fills the disk", NoInput.class, String.class)
                .handle((none, call) -> fill())
                .tool("hold", "Has tasks wait for the disk to be full", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            free = new CountDownLatch(1);
                            return "held";
                        })
                .tool("free", "Frees the disk", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            Files.delete(filler);
                            return "free";
                        })
                .tasks(JdbcTasks.on(database).maxPerOwner(10_000).operationsPerSecond(10_000))
                .build();
    }

    static String remembered(int number) {
        return number + " " + "x".repeat(RESULT);
    }

    private static String report(Call call) {
        for (int i = 0; i < 20; i++) {
            call.progress(i);
        }
        return "told";
    }

    private String fill() {
        byte[] piece = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(piece);
            }
        } catch (IOException e) { // the disk is full
            free.countDown();
            return e.getMessage();
        }
    }
}
