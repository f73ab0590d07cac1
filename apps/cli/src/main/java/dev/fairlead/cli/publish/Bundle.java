package dev.fairlead.cli.publish;

import dev.fairlead.cli.hosts.Platform;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.platform.UserFiles;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.stdio.StdioCommand;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A bundle for hosts: one file with a server as a jar, and the Java runtime that starts it.
 *
 * @param jar starts the server over stdio
 * @param arguments of the program behind the jar
 * @param environment the variables that the server needs, with their values on this machine
 * @param modules of the runtime, separated by commas; null finds out which the jar needs
 */
public record Bundle(
        Path jar,
        List<String> arguments,
        Map<String, String> environment,
        @Nullable String modules) {
    /**
     * Links the runtime, starts the server on it, and writes the file.
     *
     * @param file the file; null derives it from name and version of the server
     * @param log receives lines that the server writes to standard error
     * @return the written file, its digest and its manifest
     * @throws TargetException if the runtime cannot be linked, or a file not be written
     * @throws dev.fairlead.jsonrpc.CallException if the server does not start on that runtime
     */
    public JsonObject write(
            String author,
            @Nullable String description,
            Path directory,
            @Nullable Path file,
            Consumer<String> log)
            throws InterruptedException {
        try {
            Path folder = Files.createTempDirectory("fairlead-bundle");
            try {
                Files.copy(jar, folder.resolve(BundleManifest.JAR));
                RuntimeImage.link(jar, modules, folder.resolve(BundleManifest.RUNTIME));
                BundleManifest manifest =
                        new BundleManifest(
                                author,
                                description,
                                platform(),
                                arguments,
                                List.copyOf(environment.keySet()));
                JsonObject json = manifest.json(started(folder, log));
                Files.writeString(folder.resolve("manifest.json"), json.toJson());
                Path written = directory.resolve(file == null ? Path.of(name(json)) : file);
                BundleFile.write(folder, written);
                return JsonObject.of(
                        "file",
                        written.toString(),
                        "bytes",
                        Files.size(written),
                        "fileSha256",
                        BundleFile.sha256(written),
                        "manifest",
                        json);
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new TargetException("the bundle cannot be written: " + UserFiles.reason(e));
        }
    }

    /** The server as it describes itself when it runs on the linked runtime. */
    private PublishedServer started(Path folder, Consumer<String> log) throws InterruptedException {
        boolean windows = Platform.current() == Platform.WINDOWS;
        Path java =
                folder.resolve(BundleManifest.RUNTIME)
                        .resolve("bin")
                        .resolve(windows ? "java.exe" : "java");
        List<String> words =
                new ArrayList<>(
                        List.of(
                                java.toString(),
                                "-jar",
                                folder.resolve(BundleManifest.JAR).toString()));
        words.addAll(arguments);
        StdioCommand command = Stdio.command(words.toArray(String[]::new)).onStderr(log);
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            command = command.environment(variable.getKey(), variable.getValue());
        }
        try (McpClient client = McpClient.connect(command)) {
            return PublishedServer.of(client);
        }
    }

    private static String platform() {
        return switch (Platform.current()) {
            case LINUX -> "linux";
            case MACOS -> "darwin";
            case WINDOWS -> "win32";
        };
    }

    private static String name(JsonObject manifest) {
        String whole = manifest.string("name") + "-" + manifest.string("version");
        return whole.replaceAll("[^A-Za-z0-9._-]", "_") + ".mcpb";
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** The digest of a file, as {@code server.json} has it. */
    public static String sha256(Path file) throws IOException {
        return BundleFile.sha256(file);
    }
}
