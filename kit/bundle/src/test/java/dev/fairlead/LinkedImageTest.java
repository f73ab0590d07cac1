package dev.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A program on the module path, linked with the modules that it needs to a runtime of its own. */
@Tag("proof") // links a runtime, which takes several seconds of a processor
final class LinkedImageTest {
    /** The artifacts of Fairlead and their dependencies, without tests and test libraries. */
    private static final String MODULE_PATH =
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> !entry.matches(".*(test-classes|junit|assertj).*"))
                    .collect(Collectors.joining(File.pathSeparator));

    @TempDir Path directory;
    private Path image;

    @BeforeEach
    void link() throws Exception {
        Path module =
                source(
                        "module-info.java",
                        """
                        module app {
                            requires dev.fairlead;
                            opens app to dev.fairlead.json;
                        }
                        """);
        Path main =
                source(
                        "app/Main.java",
                        """
                        package app;

                        import dev.fairlead.client.McpClient;
                        import dev.fairlead.json.JsonObject;
                        import dev.fairlead.server.McpServer;

                        public final class Main {
                            record Terms(int left, int right) {}

                            public static void main(String[] arguments) throws Exception {
                                McpServer server =
                                        McpServer.named("calculator", "1")
                                                .tool("add", "Adds", Terms.class, Integer.class)
                                                .handle((terms, call) -> terms.left() + terms.right())
                                                .build();
                                try (McpClient client = McpClient.connect(server.inProcess())) {
                                    JsonObject terms = JsonObject.of("left", 2, "right", 3);
                                    System.out.println(client.callTool("add", terms).text());
                                }
                            }
                        }
                        """);
        Path classes = directory.resolve("classes");
        image = directory.resolve("image");
        jdk("javac", "-p", MODULE_PATH, "-d", classes, module, main);
        String modules = MODULE_PATH + File.pathSeparator + classes;
        jdk("jlink", "-p", modules, "--add-modules", "app", "--output", image);
    }

    @Test
    void runsAServerAndAClient() throws Exception {
        assertThat(run(image, "java", "-m", "app/app.Main")).isEqualTo("5\n");
        assertThat(run(image, "java", "--list-modules")).contains("app\n", "dev.fairlead@");
    }

    private Path source(String name, String text) throws IOException {
        Path file = directory.resolve("sources").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static void jdk(String tool, Object... arguments) throws Exception {
        run(Path.of(System.getProperty("java.home")), tool, arguments);
    }

    /** Runs a program of a runtime, which must succeed, and returns its output. */
    private static String run(Path runtime, String program, Object... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = runtime.resolve("bin").resolve(program).toString();
        for (int i = 0; i < arguments.length; i++) {
            command[i + 1] = arguments[i].toString();
        }
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed.replace(System.lineSeparator(), "\n");
    }
}
