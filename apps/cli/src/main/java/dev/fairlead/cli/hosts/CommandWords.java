package dev.fairlead.cli.hosts;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.servers.TargetException;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of a command with whole paths: a host has another working directory and another PATH
 * than the terminal of its user.
 */
public final class CommandWords {
    private static final Set<String> CLASS_PATH =
            Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");

    private final Environment environment;
    private final Platform platform;
    private final Path java;

    /**
     * @param java takes the place of the program {@code java}
     */
    public CommandWords(Environment environment, Platform platform, Path java) {
        this.environment = environment;
        this.platform = platform;
        this.java = java;
    }

    /** The Java that runs this program. */
    public static Path javaOfThisProgram() {
        Path bin = Path.of(System.getProperty("java.home"), "bin");
        Path windows = bin.resolve("java.exe");
        return Files.exists(windows) ? windows : bin.resolve("java");
    }

    /**
     * Returns the command with whole paths: of its program, and of arguments that name files from
     * the working directory on.
     *
     * @throws TargetException if no such program can be found
     */
    public List<String> whole(List<String> command) {
        List<String> whole = new ArrayList<>();
        whole.add(program(command.getFirst()));
        String before = "";
        for (String word : command.subList(1, command.size())) {
            whole.add(CLASS_PATH.contains(before) ? paths(word) : file(word, before));
            before = word;
        }
        return whole;
    }

    private String program(String word) {
        if (word.equals("java")) {
            return java.toString();
        }
        if (word.contains("/") || word.contains(File.separator)) {
            Path file = environment.directory().resolve(word).normalize();
            if (!Files.isRegularFile(file)) {
                throw new TargetException("no such program: " + file);
            }
            return file.toString();
        }
        return onPath(word)
                .map(Path::toString)
                .orElseThrow(
                        () ->
                                new TargetException(
                                        "no program "
                                                + word
                                                + " on the PATH; give the path of its file"));
    }

    private Optional<Path> onPath(String word) {
        String path = environment.variables().getOrDefault("PATH", "");
        List<String> names =
                platform == Platform.WINDOWS
                        ? List.of(word, word + ".exe", word + ".cmd", word + ".bat")
                        : List.of(word);
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> environment.directory().resolve(folder))
                .flatMap(folder -> names.stream().map(folder::resolve))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    private String file(String word, String before) {
        if (before.equals("-jar")) {
            return absolute(word);
        }
        boolean mayBeFile = !word.startsWith("-") && word.matches(".*[/\\\\.].*");
        return mayBeFile && isThere(word) ? absolute(word) : word;
    }

    private String paths(String words) {
        return Stream.of(words.split(File.pathSeparator))
                .map(
                        word ->
                                word.endsWith("*")
                                        ? absolute(word.substring(0, word.length() - 1))
                                                + File.separator
                                                + "*"
                                        : absolute(word))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private boolean isThere(String word) {
        try {
            return Files.exists(environment.directory().resolve(word));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private String absolute(String word) {
        return environment.directory().resolve(word).normalize().toString();
    }
}
