package dev.fairlead.cli;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Question;
import dev.fairlead.stdio.Stdio;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of revision 2026-07-28 alone, which tests start as a child process: over stdio, or with
 * the argument {@code http} over HTTP. Its tool {@code book} asks who it is for, and never ends
 * once it has an answer. Standard error has the runs of its handler.
 */
final class BookingServer {
    private static final AtomicInteger RUNS = new AtomicInteger();

    private BookingServer() {}

    record Guest(String name) {}

    public static void main(String[] arguments) throws InterruptedException {
        try (McpServer server =
                McpServer.named("booking", "1")
                        .revisions(Revision.V2026_07_28)
                        .tool("book", "Books a room", NoInput.class, String.class)
                        .handle((none, call) -> book(call))
                        .tool("runs", "How often that ran", NoInput.class, Integer.class)
                        .handle((none, call) -> RUNS.get())
                        .build()) {
            if (arguments.length == 0) {
                server.serve(Stdio.streams()).await();
            } else {
                HttpServing serving = server.serve(Http.port(0));
                System.out.println("listening on " + serving.uri());
                serving.await();
            }
        }
    }

    private static String book(Call call) throws Exception {
        int run = RUNS.incrementAndGet();
        System.err.println("run " + run + " begins");
        Guest guest = call.ask(Question.elicit("Who?", Guest.class)).orElseThrow();
        System.err.println("run " + run + " books for " + guest.name());
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            System.err.println("run " + run + " is cancelled");
            throw e;
        }
        return "booked";
    }
}
