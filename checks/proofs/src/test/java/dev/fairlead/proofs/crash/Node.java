package dev.fairlead.proofs.crash;

import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.test.support.ChildJvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A process of {@link CrashServer}, which is killed, frozen and started again at the same port. */
final class Node implements AutoCloseable {
    private final String database;
    private final Path effects;
    private final Duration lease;
    private int port; // any for the first process
    private Process process;

    private Node(String database, Path effects, Duration lease) throws IOException {
        this.database = database;
        this.effects = effects;
        this.lease = lease;
        this.process = launch();
    }

    static Node start(String database, Path effects) throws IOException {
        return start(database, effects, DatabaseOptions.DEFAULT.lease());
    }

    static Node start(String database, Path effects, Duration lease) throws IOException {
        return new Node(database, effects, lease);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port + "/mcp");
    }

    private Process launch() throws IOException {
        List<String> command = ChildJvm.command(CrashServer.class);
        command.addAll(
                List.of(database, String.valueOf(port), effects.toString(), lease.toString()));
        Process started =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        String line =
                Objects.requireNonNull(output.readLine(), "the server ended before it served");
        port = URI.create(line.substring(CrashServer.SERVING.length())).getPort();
        return started;
    }

    /** Kills the process as {@code kill -9} does, and starts it again. */
    void killAndRestart() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        process = launch();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
