package dev.fairlead.stdio;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Link;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;

@Timeout(120)
class StdioCommandTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(1);

    /** The processes of other tests, which may still be there. */
    private final List<ProcessHandle> before = ProcessHandle.current().children().toList();

    private final Peer peer = new Peer();
    private final BlockingQueue<String> stderr = new LinkedBlockingQueue<>();

    @TempDir Path folder;

    private static JsonRpcRequest request(long id, String params) {
        return new JsonRpcRequest(RequestId.of(id), "echo", RawJson.parse(params));
    }

    private JsonRpcResponse response() throws InterruptedException {
        return (JsonRpcResponse) peer.received.poll(60, TimeUnit.SECONDS);
    }

    /** A server that a slow machine does not cut off. */
    private static StdioCommand child(String... arguments) {
        return patient(Stdio.command(ChildMain.command(arguments)));
    }

    private static StdioCommand patient(StdioCommand command) {
        return command.exitTimeout(LONG, LONG).lastWaits(new LastWaits(LONG, LONG, LONG, LONG));
    }

    private ProcessHandle process() {
        List<ProcessHandle> children =
                ProcessHandle.current()
                        .children()
                        .filter(process -> !before.contains(process))
                        .toList();
        assertThat(children).hasSize(1);
        return children.getFirst();
    }

    private static boolean isAlive(Path pidFile) throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(pidFile)))
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }

    private static void awaitEnd(Path pidFile) throws IOException {
        ProcessHandle.of(Long.parseLong(Files.readString(pidFile)))
                .ifPresent(left -> left.onExit().join()); // killed, but not ours to reap
    }

    @Test
    @Requirement({"TRAN-001", "STDIO-001", "STDIO-005", "STDIO-011"})
    void sixtyFourPipelinedRequestsAreAllAnswered() throws Exception {
        try (Link link = child("echo").connect(peer)) {
            for (int id = 1; id <= 64; id++) {
                peer.context.send(request(id, "{\"n\":" + id + "}"));
            }
            Set<String> answers = new HashSet<>();
            for (int id = 1; id <= 64; id++) {
                JsonRpcResponse response = response();
                assertThat(response.result().toJson()).isEqualTo("{\"n\":" + response.id() + "}");
                answers.add(response.id().toString());
            }
            assertThat(answers).hasSize(64);
        }
    }

    @Test
    @Requirement({"STDIO-003", "STDIO-009", "STDIO-010", "N26-STDIO-001"})
    void largeAndStrangeTextsComeBackUnchanged() throws Exception {
        String text = "line\\nend \\u0000 ü 日本 \uD83D\uDE00 \\uD800" + "x".repeat(6 << 20);
        try (Link link = child("echo").connect(peer)) {
            peer.context.send(request(1, "{\"text\":\n\"" + text + "\"}"));
            assertThat(response().result().value())
                    .isEqualTo(RawJson.parse("{\"text\":\"" + text + "\"}").value());
        }
    }

    @Test
    @Requirement({"STDIO-004", "STDIO-006", "STDIO-007", "STDIO-008", "N26-STDIO-010"})
    void strayPrintsNeverMeetTheProtocolAndStandardErrorIsDrained() throws Exception {
        try (Link link = child("chatty").onStderr(stderr::add).connect(peer)) {
            for (int id = 1; id <= 3; id++) {
                peer.context.send(request(id, "{}"));
                assertThat(response().id()).isEqualTo(RequestId.of(id));
            }
        }
        assertThat(stderr).contains("stray print", "in: -1");
        assertThat(stderr.stream().filter(line -> line.startsWith("xxx")).mapToInt(String::length))
                .hasSizeGreaterThan(3)
                .allMatch(length -> length <= 16 << 10);
    }

    @Test
    void standardErrorGoesToAFile() throws Exception {
        Path file = folder.resolve("stderr.log");
        try (Link link =
                child("environment")
                        .environment("FAIRLEAD_TEST", "some value")
                        .directory(folder)
                        .stderrTo(file)
                        .connect(peer)) {
            peer.context.send(request(1, "{}"));
            response();
        }
        assertThat(Files.readAllLines(file))
                .containsExactly("some value", folder.toRealPath().toString());
    }

    @Test
    @Requirement("STDIO-013")
    void aChildGetsOnlyTheVariablesThatHoldNoSecrets() throws Exception {
        Set<String> variables = variables(child("variables"));

        assertThat(System.getenv().keySet())
                .as("this process has more")
                .anyMatch(name -> !PASSED.contains(name));
        assertThat(variables).contains("PATH").isSubsetOf(PASSED);
        assertThat(variables(child("variables").environment("FAIRLEAD_TEST", "x")))
                .contains("FAIRLEAD_TEST");
    }

    @Test
    void aChildGetsAllVariablesOnRequest() throws Exception {
        assertThat(variables(child("variables").inheritEnvironment()))
                .containsAll(System.getenv().keySet());
    }

    private static final Set<String> PASSED =
            Set.of(
                    "HOME",
                    "LANG",
                    "LC_ALL",
                    "LC_CTYPE",
                    "LOGNAME",
                    "PATH",
                    "SHELL",
                    "TERM",
                    "TMPDIR",
                    "TZ",
                    "USER");

    private Set<String> variables(StdioCommand command) throws Exception {
        stderr.clear();
        try (Link link = command.onStderr(stderr::add).connect(peer)) {
            peer.context.send(request(1, "{}"));
            response();
        }
        return Set.copyOf(stderr);
    }

    @Test
    void namesAreComparedAsTheSystemDoes() {
        Map<String, String> variables =
                new HashMap<>(
                        Map.of(
                                "Path", "C:\\bin",
                                "SystemRoot", "C:\\Windows",
                                "AWS_SECRET_ACCESS_KEY", "x",
                                "USER", "ada",
                                "SHELL", "() { evil; }"));
        Map<String, String> unix = new HashMap<>(variables);

        ChildEnvironment.restrict(variables, true);
        ChildEnvironment.restrict(unix, false);

        assertThat(variables).containsOnlyKeys("Path", "SystemRoot");
        assertThat(unix).containsOnlyKeys("USER");
    }

    @Test
    @Requirement({"LIFE-024", "STDIO-012", "N26-STDIO-008"})
    void theEndOfItsInputEndsAWellBehavedServer() throws Exception {
        try (Logged log = new Logged(Child.class.getName(), Level.ALL)) {
            Link link = child("echo").connect(peer);
            peer.context.send(request(1, "{}"));
            response();
            ProcessHandle child = process();
            link.close();
            assertThat(child.isAlive()).isFalse();
            link.close(); // may be repeated
            assertThat(log.lines()).isEmpty(); // it was neither terminated nor killed
        }
    }

    @Test
    @Requirement("STDIO-007")
    void theLastStderrLinesOfAServerReachTheListenerBeforeItsEnd() throws Exception {
        CompletableFuture<ProcessHandle> child = new CompletableFuture<>();
        Thread closing = Thread.currentThread();
        Link link =
                patient(Stdio.command("sh", "-c", "read line; echo one >&2; echo two >&2"))
                        .onStderr(
                                line -> { // comes late: the child has ended, and is waited for
                                    child.join().onExit().join();
                                    await().until(() -> isWaiting(closing));
                                    stderr.add(line);
                                })
                        .connect(peer);
        child.complete(process());
        link.close();
        assertThat(stderr).containsExactly("one", "two");
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    @Requirement("STDIO-007")
    void standardErrorIsReadOnAfterAListenerFailed() throws Exception {
        Link link =
                patient(Stdio.command("sh", "-c", "echo one >&2; read line; echo two >&2"))
                        .onStderr(
                                line -> {
                                    stderr.add(line);
                                    throw new LinkageError("expected by this test");
                                })
                        .connect(peer);
        assertThat(stderr.poll(60, TimeUnit.SECONDS)).isEqualTo("one");
        link.close();
        assertThat(stderr.poll(60, TimeUnit.SECONDS)).isEqualTo("two");
    }

    @Test
    @Requirement({"LIFE-024", "N26-STDIO-007"})
    void aServerThatIgnoresTheEndOfItsInputIsTerminated() throws Exception {
        Link link =
                child("ignore-end").exitTimeout(SHORT, LONG).onStderr(stderr::add).connect(peer);
        assertThat(stderr.poll(60, TimeUnit.SECONDS)).startsWith("pid ");
        ProcessHandle child = process();
        link.close();
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    @Requirement({"LIFE-024", "N26-STDIO-007"})
    void aServerThatIgnoresTerminationIsKilledWithWhatItStarted() throws Exception {
        Path pid = folder.resolve("pid");
        Link link =
                child("wrapper", "ignore-all", pid.toString())
                        .exitTimeout(SHORT, SHORT)
                        .connect(peer);
        await().until(() -> Files.exists(pid));
        ProcessHandle child = process();
        assertThat(isAlive(pid)).isTrue();
        link.close();
        assertThat(child.isAlive()).isFalse();
        awaitEnd(pid);
    }

    @Test
    void theExitOfTheJvmEndsItsServers() throws Exception {
        Path pid = folder.resolve("pid");
        Process process =
                new ProcessBuilder(ChildMain.command("orphan", pid.toString()))
                        .redirectErrorStream(true)
                        .start();
        process.getInputStream().transferTo(System.err);
        assertThat(process.waitFor()).isZero();
        awaitEnd(pid);
    }

    @Test
    void aServerThatExitsReportsItsExitStatus() throws Exception {
        String[] command = ChildMain.command("die");
        try (Link link = patient(Stdio.command(command)).connect(peer)) {
            peer.context.send(request(1, "{}"));
            assertThat(peer.closed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(peer.cause)
                    .hasMessage(
                            "the connection was lost: the server process "
                                    + command[0]
                                    + " ended with exit status 3");
        }
    }

    @Test
    void aProgramThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> Stdio.command("fairlead-no-such-program", "-y").connect(peer))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "cannot start the server process fairlead-no-such-program: ");
        assertThatThrownBy(() -> Stdio.command("fairlead-no-such-program -y").connect(peer))
                .hasMessage(
                        "cannot start the server process fairlead-no-such-program -y: no such"
                                + " program on the PATH; give the program and each of its"
                                + " arguments on its own");
        assertThatThrownBy(Stdio::command)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a command must name a program");
    }

    @Test
    void whatStartsTheSameServerHasTheSamePlace() {
        StdioCommand server = Stdio.command("server", "--quiet").environment("KEY", "a");
        assertThat(server.place())
                .isEqualTo(Stdio.command("server", "--quiet").environment("KEY", "a").place())
                .isEqualTo(server.maxMessageSize(1_000).owner("other").place())
                .isNotEqualTo(Stdio.command("server").environment("KEY", "a").place())
                .isNotEqualTo(Stdio.command("server", "--quiet").environment("KEY", "b").place())
                .isNotEqualTo(server.inheritEnvironment().place())
                .isNotEqualTo(server.directory(Path.of("elsewhere")).place());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A=B", "A\0"})
    void aVariableThatNoProcessCanHaveIsRefused(String name) {
        StdioCommand server = Stdio.command("server");

        assertThatThrownBy(() -> server.environment(name, "s3cret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a variable must have a name without = and NUL but was \"")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> server.environment("KEY", "s3cret\0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the value of the variable KEY must not contain a NUL character");
    }
}
