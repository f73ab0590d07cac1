package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Which features a server lists as quick: by their latest runs, over any transport. */
@Tag("proof")
@Timeout(300)
class QuickFeaturesTest {
    private final AtomicLong pause = new AtomicLong();

    private McpServer.Builder server() {
        return McpServer.named("paces", "1")
                .withoutRateLimit()
                .tool("own", "Has threads of its own", NoInput.class, String.class)
                .ownThread()
                .handle((none, call) -> "")
                .tool("pausing", "Pauses as long as it is asked to", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            LockSupport.parkNanos(pause.get());
                            return "";
                        });
    }

    private static void call(McpClient client, String tool) throws InterruptedException {
        client.tool(tool, JsonObject.class, String.class).call(JsonObject.EMPTY);
    }

    @Test
    void aFeatureIsQuickAfterManyQuickRunsUntilSomeAreSlow() throws Exception {
        try (McpTest test = McpTest.of(server())) {
            McpServer server = test.server();
            McpClient client = test.client();
            assertThat(server.quickFeatures()).isEmpty();

            while (server.quickFeatures().isEmpty()) { // a cold machine takes a while
                call(client, "own");
                call(client, "pausing");
            }
            assertThat(server.quickFeatures()).containsExactly("the tool pausing");

            pause.set(2_000_000);
            for (int i = 0; i < 8; i++) {
                call(client, "pausing");
            }
            assertThat(server.quickFeatures()).isEmpty();
        }
    }

    record Note(String id) {}

    record Shelf(String shelf) {}

    @Test
    void aTemplateIsQuickWhereNoOtherMatches() throws Exception {
        var server =
                McpServer.named("notes", "1")
                        .resourceTemplate("note://{id}", "notes", Note.class, String.class)
                        .handle((note, call) -> note.id())
                        .resourceTemplate("shelf://{shelf}", "shelves", Shelf.class, String.class)
                        .handle((shelf, call) -> shelf.shelf())
                        .resourceTemplate("shelf://a{id}", "books", Note.class, String.class)
                        .handle((note, call) -> note.id());
        try (McpTest test = McpTest.of(server)) {
            McpClient client = test.client();
            while (test.server().quickFeatures().isEmpty()) { // a cold machine takes a while
                client.readResource("shelf://ab");
                client.readResource("note://1");
            }
            assertThat(test.server().quickFeatures())
                    .containsExactly("the resource template note://{id}");
        }
    }
}
