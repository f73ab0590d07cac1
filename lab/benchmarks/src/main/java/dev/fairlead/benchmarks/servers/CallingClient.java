package dev.fairlead.benchmarks.servers;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A process with a client of any library, to measure the cost of its calls. It needs the JDK alone,
 * so that it can stand on the class path of each library.
 *
 * <p>The first argument is a class with a {@code Function<List<String>, UnaryOperator<String>>},
 * which connects to the server that the other arguments name and returns a call of its tool {@code
 * echo}. One call is made before the process prints {@code ready}. It then answers each line of its
 * input: {@code open NUMBER} opens so many more clients, {@code call CALLERS MILLIS} makes calls on
 * so many threads of the platform and prints the calls of this time, and the CPU time in
 * nanoseconds and the bytes of heap that the process used for them.
 */
public final class CallingClient {
    private static final String TEXT = "x".repeat(120);

    private CallingClient() {}

    public static void main(String... arguments) {
        int status = 1;
        try {
            answer(arguments, Executors.newCachedThreadPool());
            status = 0;
        } catch (Exception e) {
            e.printStackTrace();
        } finally {
            System.exit(status); // threads of a library, or of callers, may never end
        }
    }

    private static void answer(String[] arguments, ExecutorService threads) throws Exception {
        PrintStream out = System.out;
        Function<List<String>, UnaryOperator<String>> connector = connector(arguments[0]);
        List<String> server = List.of(arguments).subList(1, arguments.length);
        List<UnaryOperator<String>> clients = new ArrayList<>();
        clients.add(connector.apply(server));
        call(clients.getFirst());
        out.println("ready");
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            int number = Integer.parseInt(words[1]);
            if (words[0].equals("open")) {
                for (int i = 0; i < number; i++) {
                    clients.add(connector.apply(server));
                }
                out.println("opened");
            } else {
                long nanos = Long.parseLong(words[2]) * 1_000_000;
                out.println("made " + Measured.run(threads, clients.getFirst(), number, nanos));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Function<List<String>, UnaryOperator<String>> connector(String name)
            throws ReflectiveOperationException {
        return (Function<List<String>, UnaryOperator<String>>)
                Class.forName(name).getConstructor().newInstance();
    }

    private static void call(UnaryOperator<String> client) throws IOException {
        String text = client.apply(TEXT);
        if (!text.equals(TEXT)) {
            throw new IOException("wrong result: " + text);
        }
    }

    /** The measurement; its beans are not loaded before the first one. */
    private static final class Measured {
        private static final OperatingSystemMXBean SYSTEM =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        private static final ThreadMXBean THREADS =
                (ThreadMXBean) ManagementFactory.getThreadMXBean();

        static String run(
                ExecutorService threads, UnaryOperator<String> client, int callers, long nanos)
                throws Exception {
            long bytes = THREADS.getTotalThreadAllocatedBytes();
            long cpu = SYSTEM.getProcessCpuTime();
            long end = System.nanoTime() + nanos;
            List<Future<Integer>> made = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                made.add(threads.submit(() -> callUntil(end, client)));
            }
            int calls = 0;
            for (Future<Integer> each : made) {
                calls += each.get();
            }
            return "%s %s %s"
                    .formatted(
                            calls,
                            SYSTEM.getProcessCpuTime() - cpu,
                            THREADS.getTotalThreadAllocatedBytes() - bytes);
        }

        private static int callUntil(long end, UnaryOperator<String> client) throws IOException {
            int calls = 0;
            while (System.nanoTime() < end) {
                call(client);
                calls++;
            }
            return calls;
        }
    }
}
