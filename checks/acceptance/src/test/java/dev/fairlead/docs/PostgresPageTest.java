package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.jdbc.Database;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.server.McpServer;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Two nodes of the program on the page about deployment, with the database that it creates. */
@Tag("proof")
@Timeout(300)
class PostgresPageTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static Map<String, String> environment(EmbeddedPostgres postgres) {
        return Map.of(
                "STORE",
                "jdbc:postgresql://localhost:" + postgres.getPort() + "/weather?user=weather",
                "PGPASSWORD",
                "change-me");
    }

    private static void create(EmbeddedPostgres postgres) throws Exception {
        String commands = Pages.block("docs/deploy.md", "sql");
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            for (String command : commands.split(";")) {
                if (!command.isBlank()) {
                    statement.execute(command);
                }
            }
        }
    }

    private static McpClient client(HttpServing node) throws InterruptedException {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                .connect(Http.to("http://127.0.0.1:" + node.port() + "/mcp"));
    }

    @Test
    void aTaskOfOneNodeIsFoundAtTheOther() throws Exception {
        try (EmbeddedPostgres postgres =
                EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start()) {
            create(postgres);
            Map<String, String> environment = environment(postgres);
            Optional<Database> first = Weather.store(environment);
            Optional<Database> second = Weather.store(environment);
            try (McpServer one = Weather.server(environment, first);
                    McpServer other = Weather.server(environment, second);
                    HttpServing oneNode = one.serve(Weather.http(environment, first, 0));
                    HttpServing otherNode = other.serve(Weather.http(environment, second, 0));
                    McpClient caller = client(oneNode);
                    McpClient finder = client(otherNode)) {
                String id =
                        caller.tool("forecast", JsonObject.class, String.class)
                                .start(JsonObject.of("name", "Oslo"))
                                .id()
                                .orElseThrow()
                                .value();
                assertThat(finder.task(new TaskId(id), String.class).await(PATIENCE))
                        .isEqualTo("Sunny in Oslo");
                Weather.close(one, first);
                Weather.close(other, second);
            }
        }
    }
}
