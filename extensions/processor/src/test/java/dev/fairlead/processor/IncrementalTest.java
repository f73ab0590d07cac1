package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Compiles changed files again, with all others as class files. */
class IncrementalTest {
    private static final String BOOK =
            """
            package shop;

            import org.jspecify.annotations.Nullable;

            /**
             * A book.
             *
             * @param title as it stands on the cover
             */
            record Book(String title, @Nullable String author) {}
            """;

    private static final String SHELF =
            """
            package shop;

            import dev.fairlead.server.annotation.McpTool;

            class Shelf {
                /**
                 * Puts a book away.
                 *
                 * @param book any
                 */
                @McpTool
                Book put(Book book) {
                    return book;
                }
            }
            """;

    private static final String TILL = SHELF.replace("Shelf", "Till").replace("put", "sell");

    @TempDir Path directory;

    private Compiled whole() {
        return Compiled.of(
                directory,
                Map.of(
                        "shop/Book.java", BOOK,
                        "shop/Shelf.java", SHELF,
                        "shop/Till.java", TILL));
    }

    @Test
    void aChangedFileWritesOnlyWhatBelongsToIt() throws IOException {
        assertThat(whole().messages()).isEmpty();
        Path other = directory.resolve("generated/shop/TillMcp.java");
        Files.delete(other);
        Path shelf = directory.resolve("src/shop/Shelf.java");
        Compiled.write(shelf, SHELF.replace("Puts a book away", "Keeps a book"));

        Compiled again = Compiled.files(directory, List.of(shelf));

        assertThat(again.messages()).isEmpty();
        assertThat(again.generated("shop/ShelfMcp.java"))
                .contains("\"Keeps a book.\"")
                .contains("@Doc(\"any\") Book book");
        assertThat(other).doesNotExist();
    }

    @Test
    void aFileComesOutTheSameAloneAndWithAllOthers() throws Exception {
        String before = whole().generated("shop/ShelfMcp.java");

        Compiled again =
                Compiled.files(directory, List.of(directory.resolve("src/shop/Shelf.java")));

        assertThat(again.messages()).isEmpty();
        assertThat(again.generated("shop/ShelfMcp.java"))
                .isEqualTo(before)
                // The comments of another file are not there when this one is compiled alone.
                .doesNotContain("as it stands on the cover");
        try (McpServer server =
                        McpServer.named("shop", "1")
                                .features(Samples.features(again, "shop.Shelf"))
                                .build();
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.tools().get(0).outputSchema())
                    .asString()
                    .contains("\"required\":[\"title\"]");
        }
    }

    @Test
    void theProcessorIsDeclaredIsolatingForGradle() throws IOException {
        try (var in =
                FeatureProcessor.class.getResourceAsStream(
                        "/META-INF/gradle/incremental.annotation.processors")) {
            assertThat(
                            new String(
                                    Objects.requireNonNull(in).readAllBytes(),
                                    StandardCharsets.UTF_8))
                    .isEqualTo(FeatureProcessor.class.getName() + ",isolating\n");
        }
    }
}
