package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Link;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The search for the program of a server. */
@Timeout(120)
class SearchPathTest {
    @TempDir Path folder;

    private Path program(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private SearchPath unix(String path) {
        return SearchPath.of(Map.of("PATH", path), folder, false);
    }

    private SearchPath windows(Map<String, String> variables) {
        return SearchPath.of(variables, folder, true);
    }

    @Test
    void theFirstFolderThatHasTheProgramCounts() throws IOException {
        Path second = program("two/tool");
        program("three/tool");
        Files.createDirectories(folder.resolve("one/tool")); // a folder is no program
        Files.createFile(folder.resolve("four")); // nor is a file without permission

        assertThat(unix(folder + "/one:" + folder + "/two:" + folder + "/three").find("tool"))
                .contains(second);
        assertThat(unix(folder + "/one").find("tool")).isEmpty();
        assertThat(unix(folder.toString()).find("four")).isEmpty();
    }

    /** A program in the working directory is started only if an entry names that directory. */
    @Test
    void anEmptyEntryIsNotTheWorkingDirectory() throws IOException {
        program("tool");

        assertThat(unix("").find("tool")).isEmpty();
        assertThat(unix(":/nowhere:").find("tool")).isEmpty();
        assertThat(unix("::").find("tool")).isEmpty();
        assertThat(SearchPath.of(Map.of(), folder, false).find("tool")).isEmpty();
    }

    @Test
    void aRelativeEntryStartsFromTheWorkingDirectoryOfTheChild() throws IOException {
        Path tool = program("node_modules/.bin/tool");

        assertThat(unix("node_modules/.bin").find("tool")).contains(tool);
    }

    @Test
    void entriesThatAreNoPathsArePassedOver() throws IOException {
        Path tool = program("tool");

        assertThat(unix("\0:" + folder).find("tool")).contains(tool);
        assertThat(unix(folder.toString()).find("to\0ol")).isEmpty();
    }

    @Test
    void windowsAddsTheEndingsOfPathextInTheirOrder() throws IOException {
        program("npx"); // for other shells, which cannot be started
        Path command = program("npx.CMD");
        program("npx.js");
        Path program = program("tool.EXE");
        String path = "C:\\none;\"" + folder + "\"";

        assertThat(windows(Map.of("Path", path)).find("npx")).contains(command);
        assertThat(windows(Map.of("PATH", path, "PathExt", ".EXE;.CMD")).find("npx"))
                .contains(command);
        assertThat(windows(Map.of("PATH", path, "PATHEXT", ".EXE")).find("npx")).isEmpty();
        assertThat(windows(Map.of("PATH", path)).find("tool.EXE")).contains(program);
    }

    @Test
    void aVariableOnWindowsHasOneValueHoweverItsNameIsWritten() {
        Map<String, String> variables = new HashMap<>(Map.of("Path", "a", "HOME", "h"));

        ChildEnvironment.set(variables, "PATH", "b", true);
        ChildEnvironment.set(variables, "home", "i", false);

        assertThat(variables)
                .containsExactlyInAnyOrderEntriesOf(Map.of("PATH", "b", "HOME", "h", "home", "i"));
    }

    /** The command of a child that answers, started by a name that is on no PATH. */
    private String[] renamed() throws IOException {
        String[] command = ChildMain.command("echo");
        Path java = Path.of(command[0]).toAbsolutePath();
        assumeTrue(Files.isExecutable(java), "the JVM has no program");
        Files.createSymbolicLink(folder.resolve("fairlead-test-java"), java.toRealPath());
        command[0] = "fairlead-test-java";
        return command;
    }

    private static void answers(StdioCommand command) throws Exception {
        Peer peer = new Peer();
        try (Link link = command.connect(peer)) {
            peer.context.send(new JsonRpcRequest(RequestId.of(1), "echo", RawJson.parse("{}")));
            assertThat(peer.received.poll(60, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void aChildIsFoundOnThePathThatIsSetForIt() throws Exception {
        StdioCommand command = Stdio.command(renamed());
        assertThatThrownBy(() -> command.connect(new Peer()))
                .hasMessage(
                        "cannot start the server process fairlead-test-java: no such program on the"
                                + " PATH");
        assertThatThrownBy(() -> command.environment("PATH", "/nowhere").connect(new Peer()))
                .hasMessage(
                        "cannot start the server process fairlead-test-java: no such program on the"
                                + " PATH that is set for it, nor on that of this process");

        answers(command.environment("PATH", folder.toString()));
        answers(command.environment("PATH", folder.toString()).inheritEnvironment());
        answers(command.environment("PATH", folder.toString()).inOwnSession());
        answers(command.environment("PATH", ".").directory(folder));
    }

    @Test
    void aProgramInTheWorkingDirectoryIsNotStartedForAnEmptyEntry() throws Exception {
        StdioCommand command = Stdio.command(renamed()).directory(folder);

        for (String path : List.of("", ":", "/nowhere:")) {
            assertThatThrownBy(() -> command.environment("PATH", path).connect(new Peer()))
                    .hasMessageContaining("no such program on the PATH");
        }
    }

    @Test
    void aProgramOfThisProcessIsFoundAlthoughThePathOfTheChildLacksIt() {
        String name = onlyHere().orElse("");
        assumeTrue(!name.isEmpty(), "this process has no program on its PATH");
        CommandSettings settings = new CommandSettings(List.of(name));

        assertThat(settings.commandLine(Map.of("PATH", "/nowhere")).getFirst())
                .endsWith("/" + name);
    }

    private static Optional<String> onlyHere() {
        return Arrays.asList("sh", "ls", "env").stream()
                .filter(name -> SearchPath.ofProcess().find(name).isPresent())
                .findFirst();
    }
}
