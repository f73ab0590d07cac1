package dev.fairlead.test.support;

import static dev.fairlead.test.support.Awaiting.await;

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A real nginx with sites of a page, as a process of its own, where one is installed. */
public final class Nginx implements AutoCloseable {
    private final Process process;

    private Nginx(Process process) {
        this.process = process;
    }

    /** Returns the program; empty if it is not installed. */
    public static Optional<Path> program() {
        return Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator)),
                        Stream.of("/usr/sbin"))
                .map(place -> Path.of(place, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts it; waits until it listens.
     *
     * @param folder for its files
     * @param port at which the sites listen
     * @param sites the content of the block {@code http}
     */
    public static Nginx start(Path folder, int port, String sites) throws IOException {
        Path file = folder.resolve("nginx.conf");
        Path printed = folder.resolve("nginx.out");
        Files.writeString(
                file,
                "daemon off;\nworker_processes 1;\npid %1$s/nginx.pid;\nerror_log stderr;\n"
                                .formatted(folder)
                        + "events {}\nhttp {\naccess_log off;\n"
                        + Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                                .map(kind -> kind + "_temp_path " + folder + "/" + kind + ";\n")
                                .reduce("", String::concat)
                        + sites
                        + "}\n");
        Process process =
                new ProcessBuilder(
                                program().orElseThrow().toString(),
                                "-p",
                                folder.toString(),
                                "-e",
                                "stderr",
                                "-c",
                                file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile())
                        .start();
        await().until(() -> listens(port) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IOException("nginx has ended: " + Files.readString(printed));
        }
        return new Nginx(process);
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
