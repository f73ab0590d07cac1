package dev.fairlead.cli.project;

import dev.fairlead.cli.hosts.CommandWords;
import dev.fairlead.cli.hosts.Host;
import dev.fairlead.cli.hosts.HostFile;
import dev.fairlead.cli.hosts.NewServer;
import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.protocol.platform.UserFiles;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A project in a new folder.
 *
 * @param directory is absolute; its last name is that of the project
 */
public record NewProject(Path directory, ProjectKind kind, BuildTool build) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

    /** The hosts that read a file in the folder of a project. */
    private static final List<Host> HOSTS = List.of(Host.CLAUDE_CODE, Host.VSCODE);

    private static final Properties VERSIONS = versions();

    /**
     * Checks the name.
     *
     * @throws TargetException if it is none for artifacts of Maven and servers in hosts
     */
    public NewProject {
        directory = directory.normalize();
        String name = String.valueOf(directory.getFileName());
        if (!NAME.matcher(name).matches()) {
            throw new TargetException(
                    "the last name of DIR is that of the project: up to 64 letters, digits, _ and"
                            + " -, with a letter at its start, but was "
                            + name);
        }
    }

    /** The name of the artifact and of the server. */
    public String name() {
        return directory.getFileName().toString();
    }

    /** The jar with everything, from the folder of the project on. */
    public String jar() {
        return build.jar(name());
    }

    /** The version of Fairlead on which the project depends. */
    public static String version() {
        return VERSIONS.getProperty("fairlead");
    }

    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream in = NewProject.class.getResourceAsStream("versions.properties")) {
            versions.load(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return versions;
    }

    /** The texts of its files, by their paths from its folder on. */
    Map<String, String> texts() {
        Map<String, String> values = new HashMap<>();
        VERSIONS.stringPropertyNames()
                .forEach(version -> values.put(version, VERSIONS.getProperty(version)));
        values.put("name", name());
        values.put("main", kind.mainClass());
        values.put("build", build.build());
        values.put("test", build.test());
        values.put("jar", jar());
        Map<String, String> texts = new HashMap<>();
        files().forEach(file -> texts.put(file.path(), file.text(values)));
        return texts;
    }

    private Stream<TemplateFile> files() {
        return Stream.of(
                        build.files(kind),
                        kind.files(),
                        List.of(new TemplateFile("gitignore", ".gitignore")))
                .flatMap(List::stream);
    }

    /**
     * Writes the project.
     *
     * @return the paths of its files from its folder on
     * @throws TargetException if the folder has files, or cannot be written
     */
    public List<String> write(Environment environment) {
        refuseContents();
        List<String> written = new ArrayList<>();
        try {
            for (Map.Entry<String, String> file : texts().entrySet()) {
                Path path = directory.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue(), StandardOpenOption.CREATE_NEW);
                written.add(file.getKey());
            }
        } catch (IOException e) {
            throw new TargetException(directory + ": cannot be written: " + UserFiles.reason(e));
        }
        written.addAll(writeHostFiles(environment));
        return written.stream().sorted().toList();
    }

    private void refuseContents() {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isDirectory(directory)) {
            throw new TargetException(directory + " is a file; name a new folder");
        }
        try (Stream<Path> files = Files.list(directory)) {
            if (files.findAny().isPresent()) {
                throw new TargetException(
                        directory + " is not empty; name a new folder, or empty this one");
            }
        } catch (IOException e) {
            throw new TargetException(directory + ": cannot be read: " + UserFiles.reason(e));
        }
    }

    private List<String> writeHostFiles(Environment environment) {
        if (kind == ProjectKind.CLIENT) {
            return List.of();
        }
        Environment there = new Environment(environment.variables(), directory);
        List<String> written = new ArrayList<>();
        for (Host host : HOSTS) {
            HostFile file = HostFile.ofProject(host, there).orElseThrow();
            file.with(name(), server().definition(host)).write(LocalDateTime.now());
            written.add(directory.relativize(file.path()).toString());
        }
        return written;
    }

    private NewServer server() {
        if (kind == ProjectKind.SPRING) {
            return new NewServer.Endpoint("http://127.0.0.1:8080/mcp", Map.of());
        }
        String jar = directory.resolve(jar()).toString();
        return new NewServer.Program(
                List.of(CommandWords.javaOfThisProgram().toString(), "-jar", jar), Map.of());
    }
}
