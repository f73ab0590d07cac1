package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The client against {@code server-memory}. */
class MemoryTest {
    private static final String GRAPH = "memory://knowledge-graph";

    record Entity(String name, String entityType, List<String> observations) {}

    record Entities(List<Entity> entities) {}

    record Relation(String from, String to, String relationType) {}

    record Graph(List<Entity> entities, List<Relation> relations) {}

    record Relations(List<Relation> relations) {}

    @Test
    void aGraphIsBuiltWatchedAndRead(@TempDir Path folder) throws Exception {
        Entity ada = new Entity("Ada", "person", List.of("writes programs"));
        Entity engine = new Entity("Engine", "machine", List.of());
        Relation programs = new Relation("Ada", "Engine", "programs");
        BlockingQueue<String> updated = new LinkedBlockingQueue<>();
        try (McpClient client =
                McpClient.named("test", "1")
                        .requestTimeout(Duration.ofSeconds(90))
                        .connect(
                                Stdio.command(
                                                Npm.program(
                                                                "@modelcontextprotocol/server-memory",
                                                                "dist/index.js")
                                                        .toArray(String[]::new))
                                        .environment(
                                                "MEMORY_FILE_PATH",
                                                folder.resolve("memory.jsonl").toString())
                                        .onStderr(line -> {}))) {
            assertThat(client.tools()).extracting(Tool::name).contains("create_entities");
            try (Subscription watch = client.watch(GRAPH, updated::add)) {
                Entities created =
                        client.tool("create_entities", Entities.class, Entities.class)
                                .call(new Entities(List.of(ada, engine)));
                assertThat(created.entities()).containsExactly(ada, engine);
                assertThat(updated.poll(90, TimeUnit.SECONDS)).isEqualTo(watch.uri());
            }
            client.tool("create_relations", Relations.class, Relations.class)
                    .call(new Relations(List.of(programs)));
            assertThat(
                            client.tool("read_graph", JsonObject.class, Graph.class)
                                    .call(JsonObject.EMPTY))
                    .isEqualTo(new Graph(List.of(ada, engine), List.of(programs)));
            assertThat(client.readResource(GRAPH).text()).contains("writes programs");
        }
    }
}
