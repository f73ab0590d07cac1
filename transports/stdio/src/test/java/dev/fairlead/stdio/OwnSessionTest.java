package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Link;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

@Timeout(120)
class OwnSessionTest {
    private static final Path LINUX = Path.of("/proc/self/stat");

    /** The processes of other tests, which may still be there. */
    private final List<ProcessHandle> before = ProcessHandle.current().children().toList();

    @TempDir Path folder;

    @BeforeEach
    void onlyWhereSessionsCanBeSeen() {
        assumeTrue(Files.exists(LINUX), "sessions are read from /proc");
    }

    /** The session of a process: the sixth field, the fourth behind the name in parentheses. */
    private static long session(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[3]);
    }

    private ProcessHandle child() {
        return ProcessHandle.current()
                .children()
                .filter(process -> !before.contains(process))
                .findFirst()
                .orElseThrow();
    }

    private static void answers(Peer peer) throws InterruptedException {
        peer.context.send(new JsonRpcRequest(RequestId.of(1), "echo", RawJson.parse("{}")));
        assertThat(peer.received.poll(60, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void aChildLeadsASessionOfItsOwnAndEndsAsEver() throws Exception {
        Peer peer = new Peer();
        ProcessHandle child;
        try (Link link = Stdio.command(ChildMain.command("echo")).inOwnSession().connect(peer)) {
            answers(peer);
            child = child();
            assertThat(session(child.pid())).isEqualTo(child.pid());
        }
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void withoutTheOptionItSharesOurs() throws Exception {
        Peer peer = new Peer();
        try (Link link = Stdio.command(ChildMain.command("echo")).connect(peer)) {
            answers(peer);
            assertThat(session(child().pid())).isEqualTo(session(ProcessHandle.current().pid()));
        }
    }

    @Test
    void perlDoesItWhereSetsidIsMissing() throws Exception {
        Path perl = Path.of("/usr/bin/perl");
        assumeTrue(Files.exists(perl), "there is no perl");
        Files.createSymbolicLink(folder.resolve("perl"), perl);
        Files.createSymbolicLink(folder.resolve("sh"), Path.of("/bin/sh"));
        List<String> command =
                new OwnSession(new SearchPath(List.of(folder), List.of()))
                        .around(List.of("sh", "-c", "echo \"$0 $1\"; read line", "a b", "'"), null);
        assertThat(command.getFirst()).isEqualTo(folder.resolve("perl").toString());
        Process process = new ProcessBuilder(command).start();
        try (var out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("a b '");
            assertThat(session(process.pid())).isEqualTo(process.pid());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aCommandStaysAsItIsWhereNothingCanBeDone() {
        List<String> command = List.of("sh", "-c", "true");
        assertThat(new OwnSession(new SearchPath(List.of(folder), List.of())).around(command, null))
                .isSameAs(command);
        List<String> missing = List.of("fairlead-no-such-program");
        assertThat(OwnSession.ofProcess().around(missing, null)).isSameAs(missing);
    }

    @Test
    void aPathIsTakenFromTheDirectoryOfTheChild() throws IOException {
        Path program = folder.resolve("server");
        Files.writeString(program, "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(OwnSession.ofProcess().around(List.of("./server", "-x"), folder))
                .endsWith(folder.resolve("./server").toString(), "-x");
        List<String> missing = List.of("./other");
        assertThat(OwnSession.ofProcess().around(missing, folder)).isSameAs(missing);
    }
}
