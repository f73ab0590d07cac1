package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.completion.CompleteResult.Completion;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

class InteropListsTest {
    private final McpServer server = Showcase.server();
    private McpClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = McpClient.connect(server.inProcess());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    @Requirement("PAGE-001")
    void resourcesComeInPagesOf50() throws InterruptedException {
        List<String> uris = new ArrayList<>();
        String cursor = null;
        do {
            ListResourcesResult page = client.resourcePage(cursor);
            assertThat(page.resources()).hasSizeBetween(1, 50);
            page.resources().forEach(resource -> uris.add(resource.uri()));
            cursor = page.nextCursor();
        } while (cursor != null);

        assertThat(uris)
                .doesNotHaveDuplicates()
                .containsAll(numbered("interop://page/", 0, 60))
                .contains("test://static-text", "test://static-binary", "test://watched-resource");
        assertThat(client.resources()).extracting(Resource::uri).containsExactlyElementsOf(uris);
    }

    @Test
    void pagesAndItemsCanBeRead() throws InterruptedException {
        assertThat(client.readResource("interop://page/059").text()).isEqualTo("Page 059");
        assertThat(client.readResource("interop://items/item-149").text())
                .isEqualTo("Item item-149");
        assertThat(client.resourceTemplates())
                .extracting(ResourceTemplate::uriTemplate)
                .containsExactlyInAnyOrder("interop://items/{id}", "test://template/{id}/data");
    }

    @Test
    void aResourceThatIsCachedCountsItsReads() throws InterruptedException {
        ReadResourceResult first = client.readResource("interop://cached");
        int reads = Integer.parseInt(first.text());

        assertThat(first.cacheHint())
                .isEqualTo(CacheHint.of(Duration.ofSeconds(60), CacheScope.PUBLIC));
        assertThat(client.readResource("interop://cached").text()).isEqualTo(first.text());
        assertThat(client.withFreshResults().readResource("interop://cached").text())
                .isEqualTo(Integer.toString(reads + 1));
    }

    @Test
    @Requirement("COMP-004")
    void atMost100ItemsCompleteAtATime() throws InterruptedException {
        Completion completion = completeItem("");

        assertThat(completion.values()).isEqualTo(numbered("item-", 0, 100));
        assertThat(completion.total()).isEqualTo(150);
        assertThat(completion.hasMore()).isTrue();
    }

    @Test
    void itemsCompleteByPrefix() throws InterruptedException {
        Completion completion = completeItem("item-14");

        assertThat(completion.values()).isEqualTo(numbered("item-", 140, 150));
        assertThat(completion.total()).isEqualTo(10);
        assertThat(completion.hasMore()).isFalse();
        assertThat(completeItem("x").values()).isEmpty();
    }

    private Completion completeItem(String typed) throws InterruptedException {
        return client.complete(new ResourceTemplateReference("interop://items/{id}"), "id", typed)
                .completion();
    }

    @ParameterizedTest
    @CsvSource({
        "'', python perl php java javascript",
        "p, python perl php",
        "ph, php",
        "java, java javascript",
        "c, ''"
    })
    void languagesCompleteByPrefix(String typed, String languages) throws InterruptedException {
        assertThat(
                        String.join(
                                " ",
                                client.complete(
                                                new PromptReference("interop_prompt"),
                                                "lang",
                                                typed)
                                        .completion()
                                        .values()))
                .isEqualTo(languages);
    }

    @Test
    void theLanguageOfThePromptIsRequired() throws InterruptedException {
        Prompt prompt =
                client.prompts().stream()
                        .filter(each -> each.name().equals("interop_prompt"))
                        .findFirst()
                        .orElseThrow();

        assertThat(prompt.arguments())
                .singleElement()
                .satisfies(
                        argument -> {
                            assertThat(argument.name()).isEqualTo("lang");
                            assertThat(argument.required()).isTrue();
                        });
        assertThat(client.getPrompt("interop_prompt", Map.of("lang", "java")).messages())
                .hasSize(1);
    }

    private static List<String> numbered(String name, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> String.format(Locale.ROOT, "%s%03d", name, number))
                .toList();
    }
}
