package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.testing.McpTest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.util.Map;

@EachEra
class LibraryTest {
    @Parameter private Revision revision;

    private final McpTest test = McpTest.of(Library.server());
    private McpClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = test.revision(revision).client();
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void theToolsAreDescribedByTheirJavadoc() throws Exception {
        assertThat(client.tools())
                .extracting(Tool::description)
                .containsExactly(
                        "Finds books by words in their title or author.",
                        "Recommends the shortest book that is long enough, and counts those that"
                                + " it looked at.");
        assertThat(client.tools().getFirst().inputSchema().toString())
                .contains("words to look for, in any order");
    }

    @Test
    void booksAreFound() throws Exception {
        String books =
                """
                [{"isbn":"9780141439518","title":"Pride and Prejudice",\
                "author":"Jane Austen","pages":480}]\
                """;
        assertThat(client.callTool("findBooks", JsonObject.of("words", "jane pride")).text())
                .isEqualTo(
                        switch (revision.era()) { // sessions have objects alone
                            case HANDSHAKE -> "{\"result\":" + books + "}";
                            case PER_REQUEST -> books;
                        });
        assertThat(client.callTool("findBooks", JsonObject.of("words", "")).isError()).isTrue();
    }

    @Test
    void theShortestBookThatIsLongEnoughIsRecommended() throws Exception {
        assertThat(client.callTool("recommend", JsonObject.of("pages", 400)).text())
                .contains("Wuthering Heights");
        assertThat(client.callTool("recommend", JsonObject.of("pages", 1000)).text())
                .isEqualTo("no book is that long");
    }

    @Test
    void everyBookIsAResource() throws Exception {
        assertThat(client.resources())
                .extracting(Resource::uri)
                .containsExactly(
                        "book://9780141439471", "book://9780141439518", "book://9780141439556");
        assertThat(client.readResource("book://9780141439471").text()).contains("Frankenstein");
        assertThat(
                        client.complete(
                                        new ResourceTemplateReference("book://{isbn}"),
                                        "isbn",
                                        "97801414395")
                                .completion()
                                .values())
                .containsExactly("9780141439518", "9780141439556");
    }

    @Test
    void thePromptAsksForAReview() throws Exception {
        assertThat(
                        client.getPrompt(
                                        "review", Map.of("isbn", "9780141439471", "tone", "STRICT"))
                                .messages())
                .containsExactly(PromptMessage.user("Write a strict review of \"Frankenstein\"."));
    }
}
