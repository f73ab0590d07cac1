package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Main;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.FreePort;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The command line against servers from npm. */
@Timeout(300)
class CommandLineTest {
    private static final String EVERYTHING = "@modelcontextprotocol/server-everything";

    /** The outcome of a command with {@code --json}; its standard output is one document. */
    private record Ran(int status, JsonObject document) {
        private JsonArray array(String member) {
            return document.array(member);
        }

        /** The texts of a result. */
        private String text() {
            StringBuilder text = new StringBuilder();
            for (JsonValue block : document.array("content")) {
                text.append(((JsonObject) block).string("text")).append('\n');
            }
            return text.toString();
        }
    }

    private static Ran run(List<String> target, String... typed)
            throws IOException, InterruptedException {
        List<String> command = ChildJvm.command(Main.class, typed);
        command.addAll(List.of("--json", "--timeout", "90000"));
        command.addAll(target);
        Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        byte[] out = process.getInputStream().readAllBytes();
        return new Ran(
                process.waitFor(),
                (JsonObject) JsonValue.parse(new String(out, StandardCharsets.UTF_8)));
    }

    private static List<String> program(String packageName, String... arguments) {
        return Stream.concat(
                        Stream.of("--"),
                        Npm.program(packageName, "dist/index.js", arguments).stream())
                .toList();
    }

    /** The features of {@code server-everything} that must work over each transport. */
    abstract static class Everything {
        abstract List<String> target();

        @Test
        void everyListIsWhole() throws Exception {
            assertThat(run(target(), "ping").document()).isEqualTo(JsonObject.EMPTY);
            assertThat(run(target(), "tools", "list").array("tools").elements())
                    .hasSizeGreaterThan(5);
            assertThat(run(target(), "prompts", "list").array("prompts").elements()).isNotEmpty();
            assertThat(run(target(), "resources", "list").array("resources").elements())
                    .isNotEmpty();
            assertThat(
                            run(target(), "resources", "templates")
                                    .array("resourceTemplates")
                                    .elements())
                    .isNotEmpty();
        }

        @Test
        void aToolIsCalled() throws Exception {
            Ran ran = run(target(), "tools", "call", "echo", "--args", "{\"message\":\"hé 日本\"}");
            assertThat(ran.status()).isZero();
            assertThat(ran.text()).contains("hé 日本");
        }

        @Test
        void wrongArgumentsAndUnknownToolsAreFailures() throws Exception {
            assertThat(run(target(), "tools", "call", "echo").status()).isIn(1, 2);
            assertThat(run(target(), "tools", "call", "no-such-tool").status()).isIn(1, 2);
        }
    }

    @Nested
    class EverythingOverStdio extends Everything {
        @Override
        List<String> target() {
            return program(EVERYTHING, "stdio");
        }
    }

    /** The same on a port. */
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class EverythingOnPort extends Everything {
        private final String mode;
        private final String path;
        private ChildProcess child;
        private String url;

        EverythingOnPort(String mode, String path) {
            this.mode = mode;
            this.path = path;
        }

        @BeforeAll
        void start() throws Exception {
            int port = FreePort.find();
            child =
                    Programs.start(
                            Npm.program(EVERYTHING, "dist/index.js", mode),
                            Map.of("PORT", Integer.toString(port)));
            child.await("on port ([0-9]+)");
            url = "http://127.0.0.1:" + port + path;
        }

        @AfterAll
        void stop() throws Exception {
            child.close();
        }

        @Override
        List<String> target() {
            return List.of(url);
        }
    }

    @Nested
    class EverythingOverHttp extends EverythingOnPort {
        EverythingOverHttp() {
            super("streamableHttp", "/mcp");
        }
    }

    /** Found out by the status of the first POST. */
    @Nested
    class EverythingOverSse extends EverythingOnPort {
        EverythingOverSse() {
            super("sse", "/sse");
        }

        @Test
        void theOldTransportCanBeAskedFor() throws Exception {
            assertThat(run(target(), "ping", "--transport", "sse").document())
                    .isEqualTo(JsonObject.EMPTY);
        }
    }

    @Test
    void filesAreReadOnlyWhereTheServerMay(@TempDir Path folder) throws Exception {
        Path file = folder.toRealPath().resolve("note.txt");
        Files.writeString(file, "written by a test");
        List<String> target =
                program("@modelcontextprotocol/server-filesystem", folder.toRealPath().toString());
        String arguments = JsonObject.of("path", file.toString()).toJson();
        Ran read = run(target, "tools", "call", "read_text_file", "--args", arguments);
        assertThat(read.status()).isZero();
        assertThat(read.text()).contains("written by a test");
        assertThat(
                        run(
                                        target,
                                        "tools",
                                        "call",
                                        "read_text_file",
                                        "--args",
                                        "{\"path\":\"/etc/passwd\"}")
                                .status())
                .isEqualTo(1);
    }

    @Test
    void whatOneCommandRemembersAnotherReads(@TempDir Path folder) throws Exception {
        List<String> target = new ArrayList<>(List.of("--", "env"));
        target.add("MEMORY_FILE_PATH=" + folder.resolve("memory.jsonl"));
        target.addAll(program("@modelcontextprotocol/server-memory").subList(1, 3));
        Ran created =
                run(
                        target,
                        "tools",
                        "call",
                        "create_entities",
                        "--args",
                        "{\"entities\":[{\"name\":\"Ada\",\"entityType\":\"person\","
                                + "\"observations\":[\"writes programs\"]}]}");
        assertThat(created.status()).isZero();
        assertThat(run(target, "tools", "call", "read_graph").text()).contains("writes programs");
    }
}
