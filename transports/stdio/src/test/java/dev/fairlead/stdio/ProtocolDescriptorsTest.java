package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Standard output carries messages alone, and all of standard input arrives, also if the server and
 * its children write and read there.
 */
@Timeout(120)
class ProtocolDescriptorsTest {
    private static final List<String> SMALL =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final List<String> WITH_NATIVE_ACCESS =
            List.of(
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED");
    private static final String REQUEST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n";
    private static final String RESPONSE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";

    /** Has a socket in the place of standard input, as the children of Node.js have. */
    private static final String INPUT_SOCKET =
            """
            import socket, subprocess, sys
            near, far = socket.socketpair()
            child = subprocess.Popen(sys.argv[1:], stdin=far)
            far.close()
            while True:
                data = sys.stdin.buffer.raw.read(65536)
                if not data:
                    break
                near.sendall(data)
            near.close()
            """;

    /** Has a socket in the place of standard output, as the children of Node.js have. */
    private static final String SOCKET =
            """
            import socket, subprocess, sys
            near, far = socket.socketpair()
            child = subprocess.Popen(sys.argv[1:], stdout=far)
            far.close()
            while True:
                data = near.recv(65536)
                if not data:
                    break
                sys.stdout.buffer.write(data)
            """;

    @TempDir Path folder;

    @BeforeEach
    void onlyWhereDescriptorsHaveNames() {
        assumeTrue(Files.exists(Path.of("/dev/fd/1")), "descriptors have no files");
    }

    private static boolean isOnPath(String program) {
        return SearchPath.ofProcess().find(program).isPresent();
    }

    private Path error() {
        return folder.resolve("stderr");
    }

    private String errors() throws IOException {
        return Files.readString(error());
    }

    /** Returns the standard output of the child until its end, after one request. */
    private String run(List<String> command) throws Exception {
        Process child = new ProcessBuilder(command).redirectError(error().toFile()).start();
        try (var in = child.getOutputStream()) {
            in.write(REQUEST.getBytes(StandardCharsets.UTF_8));
        }
        String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return out;
    }

    @Test
    @Requirement("STDIO-004")
    void nothingButMessagesReachesAPipe() throws Exception {
        assertThat(run(ChildJvm.command(SMALL, ChildMain.class, "bypass"))).isEqualTo(RESPONSE);
        assertThat(errors()).contains("replaced stream").doesNotContain("WARNING");
    }

    @Test
    void nothingButMessagesIsAddedToAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("out"), "before\n");
        Process child =
                new ProcessBuilder(ChildJvm.command(SMALL, ChildMain.class, "bypass"))
                        .redirectError(error().toFile())
                        .redirectOutput(Redirect.appendTo(file.toFile()))
                        .start();
        try (var in = child.getOutputStream()) {
            in.write(REQUEST.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();

        assertThat(file).hasContent("before\n" + RESPONSE);
    }

    @Test
    void nothingButMessagesReachesASocket() throws Exception {
        assumeTrue(Runtime.version().feature() >= 22, "Java cannot duplicate descriptors");
        assumeTrue(isOnPath("python3"), "there is no python3");
        List<String> command = new ArrayList<>(List.of("python3", "-c", SOCKET));
        command.addAll(ChildJvm.command(WITH_NATIVE_ACCESS, ChildMain.class, "bypass"));

        assertThat(run(command)).isEqualTo(RESPONSE);
        assertThat(errors().lines()).contains("kept stream", "descriptor", "child process");
    }

    /** Messages still arrive where the JVM refuses the only way, and the log names the option. */
    @Test
    void aSocketThatCannotBeMovedIsWarnedOf() throws Exception {
        assumeTrue(Runtime.version().feature() >= 24, "the JVM refuses no native access");
        assumeTrue(isOnPath("python3"), "there is no python3");
        List<String> options = new ArrayList<>(SMALL);
        options.add("--illegal-native-access=deny");
        List<String> command = new ArrayList<>(List.of("python3", "-c", SOCKET));
        command.addAll(ChildJvm.command(options, ChildMain.class, "bypass"));

        assertThat(run(command)).contains(RESPONSE);
        assertThat(errors()).contains("--enable-native-access=ALL-UNNAMED");
    }

    /** A child that inherits standard input reads nothing of the client, and does not wait. */
    private void answersWhileChildrenRead(List<String> command) throws Exception {
        Process child = new ProcessBuilder(command).redirectError(error().toFile()).start();
        try (var in = child.getOutputStream();
                var out = child.inputReader(StandardCharsets.UTF_8)) {
            for (int i = 0; i < 3; i++) {
                in.write(REQUEST.getBytes(StandardCharsets.UTF_8));
                in.flush();
                assertThat(out.readLine() + "\n").isEqualTo(RESPONSE);
            }
            in.close();
            assertThat(out.readLine()).isNull();
        } finally {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly();
        }
    }

    @Test
    void childrenReadNothingOfAPipe() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/fd/0")), "not Linux");

        answersWhileChildrenRead(ChildJvm.command(SMALL, ChildMain.class, "reading-child"));
    }

    @Test
    void childrenReadNothingOfASocket() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/fd/0")), "not Linux");
        assumeTrue(Runtime.version().feature() >= 22, "Java cannot duplicate descriptors");
        assumeTrue(isOnPath("python3"), "there is no python3");
        List<String> command = new ArrayList<>(List.of("python3", "-c", INPUT_SOCKET));
        command.addAll(ChildJvm.command(WITH_NATIVE_ACCESS, ChildMain.class, "reading-child"));

        answersWhileChildrenRead(command);
    }
}
