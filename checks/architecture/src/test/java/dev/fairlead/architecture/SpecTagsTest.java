package dev.fairlead.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The javadoc tool refuses a module in which two specifications have one title, or one has two:
 * then no jar of Javadoc is built, which happens in the profile {@code release} alone.
 */
class SpecTagsTest {
    private static final Pattern TAG =
            Pattern.compile("@spec\\s+(https?://\\S+)((?:[^@*]|\\*(?!/))*)");

    @Test
    void everySpecificationHasOneTitleInEachModule() throws IOException {
        Map<String, String> urls = new HashMap<>();
        Map<String, String> titles = new HashMap<>();
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Checkout.ROOT, 12)) {
            sources =
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> file.toString().contains("/src/main/java/"))
                            .toList();
        }
        assertThat(sources).hasSizeGreaterThan(1_000);
        for (Path file : sources) {
            Path place = Checkout.ROOT.relativize(file);
            String module = place.subpath(0, 2) + " ";
            TAG.matcher(Files.readString(file))
                    .results()
                    .forEach(
                            tag -> {
                                String url = tag.group(1);
                                String title = tag.group(2).replaceAll("\\s*\\*?\\s+", " ").strip();
                                assertThat(urls.computeIfAbsent(module + title, key -> url))
                                        .as(place + ": " + title)
                                        .isEqualTo(url);
                                assertThat(titles.computeIfAbsent(module + url, key -> title))
                                        .as(place + ": " + url)
                                        .isEqualTo(title);
                            });
        }
        assertThat(urls).hasSizeGreaterThan(20);
    }
}
