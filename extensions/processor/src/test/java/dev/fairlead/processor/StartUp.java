package dev.fairlead.processor;

import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares the start of a server whose features are declared by annotations with that of the same
 * server by reflection: the time of the declarations, and of the whole process up to the answer of
 * its first call. Child processes, in turns; medians of processor time, which a busy machine
 * changes little. Not run with the other tests; {@code docs/annotations.md} has the command.
 */
class StartUp {
    private static final int TOOLS = 40;

    private static final int RUNS = 21;

    private record Times(double declared, double whole) {}

    @TempDir Path directory;

    @Test
    void compare() throws Exception {
        Compiled compiled = Compiled.of(directory, sources());
        if (!compiled.messages().isEmpty()) {
            throw new IllegalStateException(compiled.messages().toString());
        }
        for (boolean archive : new boolean[] {false, true}) {
            Map<String, List<Times>> times = new HashMap<>();
            for (int i = -1; i < RUNS; i++) { // the first one warms the machine up
                for (String kind : List.of("Reflected", "Described")) {
                    Times time = run(directory, kind, archive);
                    if (i >= 0) {
                        times.computeIfAbsent(kind, key -> new ArrayList<>()).add(time);
                    }
                }
            }
            for (String kind : List.of("Reflected", "Described")) {
                System.out.printf(
                        Locale.ROOT,
                        "%-9s %-12s declarations %6.1f ms, process to first answer %6.1f ms%n",
                        kind,
                        archive ? "with archive" : "",
                        median(times.get(kind).stream().mapToDouble(Times::declared).toArray()),
                        median(times.get(kind).stream().mapToDouble(Times::whole).toArray()));
            }
        }
    }

    private static double median(double... values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static Times run(Path directory, String kind, boolean archive)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(ChildJvm.program("java"), "-cp", classPath(directory)));
        if (archive) {
            command.add(1, "-XX:SharedArchiveFile=" + directory.resolve(kind + ".jsa"));
            command.add(2, "-XX:+AutoCreateSharedArchive");
            command.add(3, "-Xlog:disable");
        }
        command.add("shop." + kind);
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(kind + " failed: " + out);
        }
        String[] figures = out.strip().split(" ");
        return new Times(Double.parseDouble(figures[0]), Double.parseDouble(figures[1]));
    }

    /** Packs the folders of the build, since only archives of classes can be archived. */
    private static String classPath(Path directory) throws IOException, InterruptedException {
        Path packed = Files.createDirectories(directory.resolve("jars"));
        List<String> entries = new ArrayList<>();
        List<String> all =
                new ArrayList<>(List.of(System.getProperty("java.class.path").split(":")));
        all.add(0, directory.resolve("classes").toString());
        for (String entry : all) {
            Path path = Path.of(entry);
            String name = path.getFileName().toString();
            if (name.equals("test-classes") || name.startsWith("junit")) {
                continue;
            }
            if (Files.isDirectory(path)) {
                Path jar = packed.resolve(Integer.toHexString(entry.hashCode()) + ".jar");
                if (!Files.exists(jar)) {
                    pack(path, jar);
                }
                path = jar;
            }
            entries.add(path.toString());
        }
        return String.join(":", entries);
    }

    private static void pack(Path folder, Path jar) throws IOException, InterruptedException {
        new ProcessBuilder(
                        ChildJvm.program("jar"),
                        "--create",
                        "--file",
                        jar.toString(),
                        "-C",
                        folder.toString(),
                        ".")
                .inheritIO()
                .start()
                .waitFor();
    }

    // ---- the two programs

    private static Map<String, String> sources() {
        Map<String, String> sources = new HashMap<>();
        sources.put("shop/Shop.java", shop());
        sources.put("shop/Described.java", program("Described", "ShopMcp.of(new Shop())"));
        sources.put("shop/Reflected.java", program("Reflected", "Reflected::declare"));
        return sources;
    }

    private static String shop() {
        return "package shop;\nclass Shop {\n"
                + tools(
                        """
                        record In%1$d(String name, int count) {}
                        record Out%1$d(String name, java.util.List<In%1$d> items, double price) {}
                        /** Tool %1$d. */
                        @dev.fairlead.server.annotation.McpTool
                        Out%1$d tool%1$d(
                                @dev.fairlead.json.Size(min = 1) String name,
                                @dev.fairlead.json.Range(max = 9) int count) {
                            return new Out%1$d(name, java.util.List.of(new In%1$d(name, count)), 1);
                        }
                        """)
                + "}\n";
    }

    private static String tools(String pattern) {
        return IntStream.range(0, TOOLS)
                .mapToObj(i -> pattern.formatted(i))
                .collect(Collectors.joining());
    }

    private static String program(String name, String features) {
        String declared =
                name.equals("Described")
                        ? ""
                        : tools(
                                        """
                                        record Args%1$d(
                                                @dev.fairlead.json.Size(min = 1) String name,
                                                @dev.fairlead.json.Range(max = 9) int count) {}
                                        """)
                                + "static void declare(dev.fairlead.server.Features<?> features)"
                                + " {\nShop shop = new Shop();\n"
                                + tools(
                                        """
                                        features.tool("tool%1$d", "Tool %1$d.", Args%1$d.class,
                                                        Shop.Out%1$d.class)
                                                .handle((in, call) ->
                                                        shop.tool%1$d(in.name(), in.count()));
                                        """)
                                + "}\n";
        return """
        package shop;

        import dev.fairlead.client.McpClient;
        import dev.fairlead.json.JsonObject;
        import dev.fairlead.server.McpServer;

        class %s {
            %s
            public static void main(String[] args) throws Exception {
                var threads = java.lang.management.ManagementFactory.getThreadMXBean();
                long start = threads.getCurrentThreadCpuTime();
                McpServer.Builder builder =
                        McpServer.named("shop", "1").features(%s);
                long declared = threads.getCurrentThreadCpuTime() - start;
                try (McpServer server = builder.build();
                        McpClient client = McpClient.connect(server.inProcess())) {
                    client.callTool("tool0", JsonObject.of("name", "a", "count", 1));
                    long whole =
                            ProcessHandle.current().info().totalCpuDuration()
                                    .orElseThrow().toMillis();
                    System.out.println(declared / 1e6 + " " + whole);
                }
            }
        }
        """
                .formatted(name, declared, features);
    }
}
