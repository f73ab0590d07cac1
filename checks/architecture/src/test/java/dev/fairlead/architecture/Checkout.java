package dev.fairlead.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The folders of this project. */
final class Checkout {
    static final Path ROOT =
            Path.of(System.getProperty("basedir", ""))
                    .resolve("../..")
                    .toAbsolutePath()
                    .normalize();

    private Checkout() {}

    /** All modules: the folders with a POM, in the folders that group them. */
    static List<Path> modules() throws IOException {
        try (Stream<Path> groups = Files.list(ROOT)) {
            return groups.filter(Files::isDirectory)
                    .flatMap(Checkout::entries)
                    .filter(module -> Files.exists(module.resolve("pom.xml")))
                    .sorted()
                    .toList();
        }
    }

    /** The Java sources of all modules in a folder of this name. */
    static List<Path> sources(String folder) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path module : modules()) {
            Path root = module.resolve(folder);
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static Stream<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
