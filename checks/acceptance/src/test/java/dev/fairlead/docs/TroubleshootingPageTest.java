package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Each text of the page about trouble is in the code, but those of other programs. */
final class TroubleshootingPageTest {
    private static final String PAGE = "docs/troubleshooting.md";
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final int SHORTEST = 6;

    /** The main sources, with the parts of each text joined. */
    private static String sources() throws IOException {
        Path root = Pages.all().get(0).getParent();
        try (Stream<Path> files =
                Stream.of("core", "transports", "extensions", "apps/cli")
                        .flatMap(folder -> walk(root.resolve(folder)))) {
            return files.filter(file -> file.toString().contains("/src/main/java/"))
                    .filter(file -> file.toString().endsWith(".java"))
                    .map(TroubleshootingPageTest::read)
                    .map(text -> text.replaceAll("\"\\s*\\+\\s*\"", ""))
                    .collect(Collectors.joining("\n"));
        }
    }

    private static Stream<Path> walk(Path folder) {
        try {
            return Files.walk(folder).filter(Files::isRegularFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The parts of the texts of the page, between the values that are left out. */
    private static List<String> texts() throws IOException {
        String own = Pages.text(PAGE).split("\n## Texts of other programs\n")[0];
        return own.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf(" | ", 2)))
                .flatMap(cell -> QUOTED.matcher(cell).results())
                .map((MatchResult found) -> found.group(1))
                .flatMap(text -> Stream.of(text.split("…")))
                .map(String::strip)
                .filter(text -> text.length() >= SHORTEST)
                .toList();
    }

    @Test
    void everyTextIsInTheCode() throws IOException {
        String sources = sources();
        assertThat(texts()).hasSizeGreaterThan(35);
        assertThat(texts())
                .allSatisfy(text -> assertThat(sources.contains(text)).as(text).isTrue());
    }
}
