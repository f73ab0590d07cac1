package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.stream.Collectors.partitioningBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonAlways;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonOneOrMany;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.Matches;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Range;
import dev.fairlead.json.Size;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Which classes a server loads, from its start to its end. */
@Tag("proof")
@Timeout(600)
class LoadedClassesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    record Order(
            @Matches("[A-Z]{2}-\\d+") String number,
            @Size(min = 1, max = 3) List<Item> items,
            JsonObject note) {}

    record Item(Kind kind, @Range(min = 1, max = 9) int count, double price) {}

    enum Kind {
        TEA,
        COFFEE
    }

    record Bill(String number, double total) {}

    /** Its tools are typed; with a second argument one more has a schema that is given as JSON. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            McpServer.Builder server =
                    McpServer.named("orders", "1.0.0")
                            .tool("bill", "Adds up an order", Order.class, Bill.class)
                            .handle((order, call) -> bill(order));
            if (arguments.length > 1) {
                server.tool(new Tool("raw", JsonSchema.parse("{\"type\": \"object\"}").json()))
                        .handle((request, call) -> CallToolResult.text("fine"));
            }
            try (McpServer built = server.build()) {
                if (arguments[0].equals("stdio")) {
                    built.serve(Stdio.streams()).await();
                } else {
                    System.out.println(built.serve(Http.port(0).engine("loop")).uri());
                    System.in.read(); // until the test has ended
                }
            }
        }

        private static Bill bill(Order order) {
            double total = 0;
            for (Item item : order.items()) {
                total += item.count() * item.price();
            }
            return new Bill(order.number(), total);
        }
    }

    @Doc("A city")
    record City(
            @Doc("Its name") @JsonName("city") @Matches(".+") @Size(max = 100) String name,
            @Default("0") @Range(min = 0) int people,
            @JsonAlways @Nullable String country,
            @JsonOneOrMany List<@Nullable String> names,
            @OtherMembers JsonObject others) {}

    /** The input of its tool is described, and it ends with its client. */
    static final class Described {
        private Described() {}

        public static void main(String[] arguments) throws Exception {
            try (McpServer server =
                    McpServer.named("cities", "1.0.0")
                            .tool("city", "Names a city", City.class, String.class)
                            .handle((city, call) -> city.name())
                            .build()) {
                server.serve(Stdio.streams()).await();
            }
        }
    }

    @TempDir private Path folder;

    @Test
    void aServerOfTypedToolsLoadsNothingOfJackson() throws Exception {
        assertThat(loaded("typed", "stdio"))
                .contains("dev.fairlead.json.JsonReader", "dev.fairlead.json.JsonWriter")
                .noneMatch(LoadedClassesTest::isOfJackson);
    }

    /** No cache of classes keeps them, so that each start would make them again. */
    @Test
    void aServerMakesNoClassesForSwitchesOverPatterns() throws Exception {
        assertThat(loaded("typed", "stdio")).noneMatch(name -> name.contains("$$TypeSwitch"));
    }

    /**
     * No cache keeps the proxies that the JDK makes for annotations: one for each kind, and one for
     * {@code @Retention}. The other class is the form of all handles to the components of records.
     */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void aStartWithACacheMakesOneClassBesideTheKindsOfAnnotations() throws Exception {
        Path cache = folder.resolve("server.aot");
        String classPath = archives();
        start("-XX:AOTCacheOutput=" + cache, classPath);

        List<String> loaded = start("-XX:AOTCache=" + cache, classPath);

        assertThat(loaded).hasSizeGreaterThan(2_000);
        Map<Boolean, List<String>> made =
                loaded.stream()
                        .filter(line -> !isKept(line))
                        .collect(partitioningBy(line -> line.startsWith("jdk.proxy")));
        assertThat(made.get(false)).hasSizeLessThanOrEqualTo(1);
        assertThat(made.get(true)).hasSizeLessThanOrEqualTo(11);
    }

    /**
     * Returns whether a class is in the archive, or one of the JDK, as for its recorder, which no
     * server can choose.
     */
    private static boolean isKept(String line) {
        return line.endsWith("source: shared objects file") || line.contains("source: jrt:/java.");
    }

    /** The classes that are loaded until the client knows the tools. */
    private List<String> start(String option, String classPath) throws Exception {
        Path log = folder.resolve("start");
        List<String> options =
                List.of(
                        "-XX:+UseSerialGC", // the same for both starts, or the cache does not fit
                        option,
                        "-Xlog:disable",
                        "-Xlog:class+load:file=" + log + ":none");
        List<String> command =
                ChildJvm.command(options, Described.class).stream()
                        .map(part -> part.equals(ChildJvm.classPath()) ? classPath : part)
                        .toList();
        try (McpClient client =
                McpClient.named("desk", "1")
                        .probeTimeout(PATIENCE) // both starts are of the same era
                        .requestTimeout(PATIENCE)
                        .connect(
                                Stdio.command(command.toArray(String[]::new))
                                        .exitTimeout(PATIENCE, Duration.ofSeconds(1)))) {
            assertThat(client.tools()).hasSize(1);
            return Files.readAllLines(log);
        }
    }

    /** The class path with archives alone: no cache is made for folders. */
    private String archives() throws IOException {
        List<String> archives = new ArrayList<>();
        for (String entry : ChildJvm.classPath().split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isRegularFile(path)) {
                archives.add(entry);
            } else if (Files.isDirectory(path)) {
                archives.add(archive(path, folder.resolve(archives.size() + ".jar")).toString());
            }
        }
        return String.join(File.pathSeparator, archives);
    }

    private static Path archive(Path classes, Path archive) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(archive));
                Stream<Path> files = Files.walk(classes).filter(Files::isRegularFile)) {
            for (Path file : files.toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
            }
        }
        return archive;
    }

    @Test
    void norDoesItOverHttp() throws Exception {
        assertThat(loaded("http", "http"))
                .contains(
                        "dev.fairlead.json.JsonReader",
                        "dev.fairlead.json.JsonWriter",
                        "dev.fairlead.http.loop.LoopConnection")
                .noneMatch(LoadedClassesTest::isOfJackson);
    }

    @Test
    void aServerWithASchemaGivenAsJsonDoes() throws Exception {
        assertThat(loaded("raw", "stdio", "raw")).anyMatch(LoadedClassesTest::isOfJackson);
    }

    private static boolean isOfJackson(String name) {
        return name.startsWith("tools.jackson.") || name.startsWith("com.fasterxml.");
    }

    /** The names of all classes that a server loads which is called rightly and wrongly. */
    private List<String> loaded(String log, String... arguments) throws Exception {
        Path file = folder.resolve(log);
        List<String> command =
                ChildJvm.command(
                        List.of("-Xlog:class+load:file=" + file + ":none"),
                        Program.class,
                        arguments);
        if (arguments[0].equals("stdio")) {
            try (McpClient client =
                    McpClient.connect(Stdio.command(command.toArray(String[]::new)))) {
                call(client, arguments.length > 1);
            }
        } else {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try (McpClient client = McpClient.connect(Http.to(process.inputReader().readLine()))) {
                call(client, false);
            } finally {
                process.outputWriter().close();
                process.waitFor();
            }
        }
        try (var lines = Files.lines(file)) {
            return lines.map(line -> line.split(" ", 2)[0]).toList();
        }
    }

    private static void call(McpClient client, boolean hasRaw) throws InterruptedException {
        Order order =
                new Order("AB-1", List.of(new Item(Kind.TEA, 2, 1.25)), JsonObject.of("a", 1));
        assertThat(client.tools()).hasSize(hasRaw ? 2 : 1);
        assertThat(client.tool("bill", Order.class, Bill.class).call(order))
                .isEqualTo(new Bill("AB-1", 2.5));
        assertThat(client.callTool("bill", JsonObject.of("number", "x")).isError()).isTrue();
        assertThatThrownBy(() -> client.callTool("none", JsonObject.EMPTY))
                .isInstanceOf(JsonRpcException.class);
        if (hasRaw) {
            assertThat(client.callTool("raw", JsonObject.EMPTY).isError()).isFalse();
        }
    }
}
