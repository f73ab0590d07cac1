package dev.fairlead.interop;

import dev.fairlead.test.support.ChildProcess;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs of other projects. */
final class Programs {
    private Programs() {}

    /** Starts a program; its standard output and error are read as one. */
    static ChildProcess start(List<String> command, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return ChildProcess.start(builder);
    }

    /**
     * Installs packages unless they are there, while no other JVM installs those of the same kind.
     *
     * @param kind {@code npm} or {@code python}
     */
    static void install(String kind) {
        try {
            Path lock = Files.createDirectories(Path.of("target")).resolve(kind + ".lock");
            try (FileChannel channel =
                    FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock(); // until it is closed
                run(Path.of("").toAbsolutePath(), List.of("./install", kind));
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("the packages cannot be installed: " + kind, e);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @return its standard output
     * @throws AssertionError if it fails or takes more than three minutes
     */
    static String run(Path directory, List<String> command)
            throws IOException, InterruptedException {
        return run(directory, command, Map.of());
    }

    /** Runs a program to its end, with these additions to its environment. */
    static String run(Path directory, List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("fairlead-interop", ".out");
        Path errors = Files.createTempFile("fairlead-interop", ".err");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectOutput(output.toFile())
                            .redirectError(errors.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(180, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(
                        String.join(" ", command)
                                + (ended ? " failed\n" : " does not end\n")
                                + Files.readString(output)
                                + Files.readString(errors));
            }
            return Files.readString(output);
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }
}
