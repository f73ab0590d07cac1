package dev.fairlead.cli;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Question;
import dev.fairlead.stdio.Stdio;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A server of revision 2026-07-28 alone. Its tool {@code book} asks who it is for, and never ends
 * once it has an answer.
 */
final class BookingServer implements AutoCloseable {
    private final AtomicInteger runs = new AtomicInteger();
    private final Consumer<String> report;
    private final McpServer server;

    /**
     * @param report receives the ends of its handler's runs
     */
    BookingServer(Consumer<String> report) {
        this.report = report;
        server =
                McpServer.named("booking", "1")
                        .revisions(Revision.V2026_07_28)
                        .tool("book", "Books a room", NoInput.class, String.class)
                        .handle((none, call) -> book(call))
                        .build();
    }

    record Guest(String name) {}

    /** The command line that starts one over stdio; standard error has the runs of its handler. */
    static List<String> command() {
        return LocalProgram.command(
                (none, in, out, err) -> {
                    try (BookingServer booking = new BookingServer(err::println)) {
                        booking.server.serve(Stdio.streams(in, out)).await();
                    }
                    return 0;
                });
    }

    HttpServing serve() throws IOException {
        return server.serve(Http.port(0));
    }

    int runs() {
        return runs.get();
    }

    private String book(Call call) throws Exception {
        int run = runs.incrementAndGet();
        report.accept("run " + run + " begins");
        Guest guest = call.ask(Question.elicit("Who?", Guest.class)).orElseThrow();
        report.accept("run " + run + " books for " + guest.name());
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            report.accept("run " + run + " is cancelled");
            throw e;
        }
        return "booked";
    }

    @Override
    public void close() {
        server.close();
    }
}
