package dev.fairlead.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages of the documentation. */
final class Pages {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent().getParent();

    private Pages() {}

    static List<Path> all() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            List<Path> pages =
                    files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), pages.stream()).toList();
        }
    }

    /** The text of the page of this name. */
    static String text(String name) throws IOException {
        return Files.readString(ROOT.resolve(name));
    }

    /** The code blocks of a page in one language. */
    static List<String> blocks(String page, String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(text(page))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** The one code block of a page in a language. */
    static String block(String page, String language) throws IOException {
        List<String> all = blocks(page, language);
        if (all.size() != 1) {
            throw new IllegalArgumentException(
                    "%s has %s blocks of %s".formatted(page, all.size(), language));
        }
        return all.get(0);
    }

    static String name(Path page) {
        return ROOT.relativize(page).toString();
    }
}
