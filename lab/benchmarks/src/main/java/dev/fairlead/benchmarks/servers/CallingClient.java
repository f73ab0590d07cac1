package dev.fairlead.benchmarks.servers;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.stdio.Stdio;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A process with one client of each era of the protocol, to measure the cost of calls in the
 * client. The arguments are the URL of a server, or the command line of one. Each line that it
 * reads is an era, a number of callers and a time in milliseconds; it answers with the calls that
 * were made in this time, and the CPU time in nanoseconds and the bytes of heap that the process
 * used for them.
 */
final class CallingClient {
    private static final String TEXT = "x".repeat(120);
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private CallingClient() {}

    public static void main(String... arguments) throws Exception {
        PrintStream out = System.out;
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                McpClient handshake = connect(remote(arguments), Revision.V2025_11_25);
                McpClient perRequest = connect(remote(arguments), Revision.V2026_07_28)) {
            out.println("ready");
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                out.println(
                        "made "
                                + measure(
                                        callers,
                                        Era.valueOf(words[0]) == Era.HANDSHAKE
                                                ? handshake
                                                : perRequest,
                                        Integer.parseInt(words[1]),
                                        Long.parseLong(words[2])));
            }
        }
    }

    private static Remote remote(String... arguments) {
        return arguments.length == 1 ? Http.to(arguments[0]) : Stdio.command(arguments);
    }

    private static McpClient connect(Remote server, Revision revision) throws InterruptedException {
        McpClient client =
                McpClient.named("benchmark", "1").revisions(revision, revision).connect(server);
        client.tools(); // the definitions are known, as they are to a client that works
        return client;
    }

    private static String measure(
            ExecutorService callers, McpClient client, int concurrent, long millis)
            throws Exception {
        long bytes = THREADS.getTotalThreadAllocatedBytes();
        long cpu = SYSTEM.getProcessCpuTime();
        long end = System.nanoTime() + millis * 1_000_000;
        List<Future<Integer>> made = new ArrayList<>();
        for (int i = 0; i < concurrent; i++) {
            made.add(callers.submit(() -> call(client, end)));
        }
        int calls = 0;
        for (Future<Integer> each : made) {
            calls += each.get();
        }
        return "%d %d %d"
                .formatted(
                        calls,
                        SYSTEM.getProcessCpuTime() - cpu,
                        THREADS.getTotalThreadAllocatedBytes() - bytes);
    }

    private static int call(McpClient client, long end) throws InterruptedException {
        int calls = 0;
        while (System.nanoTime() < end) {
            String text = client.callTool("echo", JsonObject.of("text", TEXT)).text();
            if (!text.equals(TEXT)) {
                throw new IllegalStateException("wrong result: " + text);
            }
            calls++;
        }
        return calls;
    }
}
