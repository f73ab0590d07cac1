package dev.fairlead.stdio;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folders in which a program is looked up by its name. A relative folder starts from the
 * working directory of the child. An empty entry is passed over: shells take it for the working
 * directory, where anything may lie that has the name of a program.
 *
 * @param endings that the file of a program may have beside its name, as Windows has them; empty
 *     where a name is complete
 */
record SearchPath(List<Path> folders, List<String> endings) {
    private static final String WINDOWS_ENDINGS = ".COM;.EXE;.BAT;.CMD";

    /** The folders that this process looks in. */
    static SearchPath ofProcess() {
        return of(System.getenv(), null, ChildEnvironment.isWindows());
    }

    /**
     * The folders that a child with an environment looks in.
     *
     * @param directory in which the child starts; null for that of this process
     */
    static SearchPath of(
            Map<String, String> environment, @Nullable Path directory, boolean windows) {
        Path start = directory == null ? Path.of("") : directory;
        List<Path> folders =
                entries(environment, "PATH", "", windows)
                        .flatMap(SearchPath::path)
                        .map(folder -> start.resolve(folder).toAbsolutePath())
                        .toList();
        return new SearchPath(
                folders,
                windows
                        ? entries(environment, "PATHEXT", WINDOWS_ENDINGS, true).toList()
                        : List.of());
    }

    private static Stream<String> entries(
            Map<String, String> environment, String name, String absent, boolean windows) {
        String value =
                ChildEnvironment.get(environment, name, windows)
                        .filter(text -> !text.isBlank())
                        .orElse(absent);
        return Arrays.stream(value.split(windows ? ";" : ":"))
                .map(entry -> windows ? entry.replace("\"", "") : entry)
                .filter(entry -> !entry.isEmpty());
    }

    private static Stream<Path> path(String text) {
        try {
            return Stream.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Stream.empty();
        }
    }

    /** The file of the first program of this name, which has no separator. */
    Optional<Path> find(String name) {
        return folders.stream()
                .flatMap(folder -> files(name).flatMap(file -> path(folder, file)))
                .filter(SearchPath::isProgram)
                .findFirst();
    }

    private static Stream<Path> path(Path folder, String file) {
        return path(file).map(folder::resolve);
    }

    /** The names that the file of a program may have. */
    private Stream<String> files(String name) {
        String known = name.toLowerCase(Locale.ROOT);
        boolean isComplete =
                endings.isEmpty()
                        || endings.stream()
                                .anyMatch(
                                        ending -> known.endsWith(ending.toLowerCase(Locale.ROOT)));
        return isComplete ? Stream.of(name) : endings.stream().map(name::concat);
    }

    static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
