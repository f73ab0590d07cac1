package dev.fairlead.examples;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Several long tools at a time: a server that writes reports, and a client that wants three. */
final class Reports {
    private Reports() {}

    // @start region="server"
    record Year(int year) {}

    static McpServer.Builder server() {
        return McpServer.named("reports", "1.0.0")
                .tool("report", "Writes the report of a year", Year.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(Reports::write);
    }

    private static String write(Year year, Call call) throws InterruptedException {
        for (int month = 1; month <= 12; month++) {
            call.status("month " + month);
            Thread.sleep(50); // the work
        }
        return "The year " + year.year() + " was good.";
    }

    // @end

    // @start region="client"
    static void order(McpClient client, PrintStream screen) throws InterruptedException {
        RemoteTool<Year, String> report = client.tool("report", Year.class, String.class);
        List<TaskHandle<String>> reports = new ArrayList<>();
        for (int year = 2023; year <= 2025; year++) {
            reports.add(report.start(new Year(year))); // returns at once
        }
        screen.println(report.call(new Year(2021))); // a plain call, while the tasks run
        for (TaskHandle<String> started : reports) {
            screen.println(started.await());
        }
    }

    // @end

    public static void main(String... arguments) throws Exception {
        if (arguments.length > 0) {
            throw new UsageException("unexpected arguments: " + String.join(" ", arguments));
        }
        try (McpServer server = server().build();
                McpClient client = McpClient.connect(server.inProcess())) {
            order(client, System.out);
        }
    }
}
