package dev.fairlead.benchmarks.peers.clients;

import com.sun.management.OperatingSystemMXBean;

import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

import javax.net.ssl.SSLContext;

/**
 * Bare HTTP clients in turns, without any of the product: each posts 240 bytes to a server in a
 * process of its own and reads the whole answer. Prints the medians of CPU time per call of the
 * client's process, and of calls per second, as a table. Arguments: the rounds, and the
 * milliseconds of each measurement.
 */
public final class BareClients {
    private static final byte[] BODY = new byte[240];
    private static final int[] CALLERS = {1, 16, 256};
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private BareClients() {}

    /** A client on threads of one kind, calling in one way. */
    private record Case(String path, boolean tls, int callers, boolean virtual) {
        @Override
        public String toString() {
            return (tls ? "TLS " : "plain ")
                    + path.substring(1)
                    + ", "
                    + callers
                    + (virtual ? " virtual" : " platform");
        }
    }

    private record Figure(double micros, double perSecond) {}

    /** Measures; a process of its own serves, and another one has each client in each round. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments.length > 0 ? arguments[0] : "") {
            case "serve" -> Answering.main(arguments);
            case "call" -> call(arguments);
            default -> compare(arguments);
        }
        System.exit(0);
    }

    private static void compare(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        String millis = arguments.length > 1 ? arguments[1] : "500";
        Path keys = Answering.newKeys();
        Process server = Answering.start(Redirect.PIPE, "serve", keys.toString());
        Map<String, Map<String, List<Figure>>> figures = new LinkedHashMap<>();
        try {
            String[] ports = server.inputReader().readLine().split(" ");
            List<String> names = new ArrayList<>(BareClient.NAMES);
            for (int round = 0; round < rounds; round++) {
                for (String name : names) {
                    Process caller =
                            Answering.start(
                                    Redirect.PIPE,
                                    "call",
                                    name,
                                    ports[0],
                                    ports[1],
                                    keys.toString(),
                                    millis);
                    for (String line : caller.inputReader().lines().toList()) {
                        String[] parts = line.split("[|]");
                        figures.computeIfAbsent(parts[0], c -> new TreeMap<>())
                                .computeIfAbsent(name, n -> new ArrayList<>())
                                .add(
                                        new Figure(
                                                Double.parseDouble(parts[1]),
                                                Double.parseDouble(parts[2])));
                    }
                }
                Collections.rotate(names, 1);
            }
        } finally {
            server.destroy();
            Files.deleteIfExists(keys);
        }
        print(figures);
    }

    /** Measures one client, each case after one run that only warms up. */
    private static void call(String[] arguments) throws Exception {
        Arrays.fill(BODY, (byte) 'x');
        String[] ports = {arguments[2], arguments[3]};
        long millis = Long.parseLong(arguments[5]);
        SSLContext tls = Answering.trusting(Path.of(arguments[4]));
        try (BareClient client = BareClient.named(arguments[1], tls)) {
            for (Case each : cases()) {
                run(client, each, ports, millis);
            }
            for (Case each : cases()) {
                Figure figure = run(client, each, ports, millis);
                System.out.println(each + "|" + figure.micros + "|" + figure.perSecond);
            }
        }
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (boolean tls : new boolean[] {false, true}) {
            for (String path : List.of("/json/120", "/events/120", "/json/102400")) {
                for (int callers : CALLERS) {
                    for (boolean virtual : new boolean[] {false, true}) {
                        cases.add(new Case(path, tls, callers, virtual));
                    }
                }
            }
        }
        return cases;
    }

    private static Figure run(BareClient client, Case each, String[] ports, long millis)
            throws Exception {
        String url =
                (each.tls ? "https://localhost:" + ports[1] : "http://localhost:" + ports[0])
                        + each.path;
        ThreadFactory threads =
                each.virtual ? Thread.ofVirtual().factory() : Thread.ofPlatform().factory();
        LongAdder calls = new LongAdder();
        LongAdder failures = new LongAdder();
        CountDownLatch ended = new CountDownLatch(each.callers);
        long cpu = SYSTEM.getProcessCpuTime();
        long begin = System.nanoTime();
        long end = begin + Duration.ofMillis(millis).toNanos();
        for (int i = 0; i < each.callers; i++) {
            threads.newThread(
                            () -> {
                                try {
                                    while (System.nanoTime() < end) {
                                        call(client, url);
                                        calls.increment();
                                    }
                                } catch (Exception | Error e) {
                                    failures.increment();
                                    System.err.println(each + ": " + e);
                                } finally {
                                    ended.countDown();
                                }
                            })
                    .start();
        }
        ended.await();
        double took = System.nanoTime() - begin;
        double used = SYSTEM.getProcessCpuTime() - cpu;
        long done = Math.max(1, calls.sum());
        return new Figure(failures.sum() > 0 ? Double.NaN : used / 1_000 / done, done * 1e9 / took);
    }

    private static void call(BareClient client, String url) throws Exception {
        int expected = Integer.parseInt(url.substring(url.lastIndexOf('/') + 1));
        byte[] buffer = new byte[8 * 1024];
        int[] read = {0};
        client.post(
                url,
                BODY,
                (InputStream in) -> {
                    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                        read[0] += n;
                    }
                });
        if (read[0] < expected) {
            throw new IllegalStateException("read " + read[0] + " bytes of " + expected);
        }
    }

    private static void print(Map<String, Map<String, List<Figure>>> figures) {
        System.out.println("| CPU µs per call, calls/s | " + String.join(" | ", BareClient.NAMES));
        figures.forEach(
                (each, byName) -> {
                    StringBuilder row = new StringBuilder("| " + each);
                    for (String name : BareClient.NAMES) {
                        List<Figure> list = byName.get(name);
                        double micros = median(list, Figure::micros);
                        double perSecond = median(list, Figure::perSecond);
                        row.append(String.format(" | %.1f, %.0f", micros, perSecond));
                    }
                    System.out.println(row + " |");
                });
    }

    private static double median(List<Figure> figures, ToDoubleFunction<Figure> part) {
        double[] sorted = figures.stream().mapToDouble(part).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
