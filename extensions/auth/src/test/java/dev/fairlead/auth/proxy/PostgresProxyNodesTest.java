package dev.fairlead.auth.proxy;

import static dev.fairlead.auth.proxy.ProxiedServer.refreshing;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.json.JsonObject;
import dev.fairlead.test.support.DatabaseProxy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Each node has connections of its own. */
@Tag("proof")
class PostgresProxyNodesTest extends ProxyNodesTest {
    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres =
                EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .setServerConfig("max_connections", "300")
                        .start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @Override
    Database open() {
        return Database.postgres(url(), DatabaseOptions.DEFAULT);
    }

    private static String url() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    @Test
    void aDatabaseThatIsAwayRefusesAStepForNow() throws Exception {
        try (DatabaseProxy network = new DatabaseProxy(postgres.getPort());
                Database database = Database.postgres(network.through(url()));
                ProxiedServer node = ProxiedServer.node(upstream, database)) {
            String client = node.client("Desk");
            JsonObject tokens = node.tokens(client);
            Map<String, String> form = refreshing(client, tokens.string("refresh_token"));
            network.refuse();

            assertThat(node.token(form).statusCode()).isEqualTo(503);
            assertThat(node.mcp(tokens.string("access_token")).statusCode()).isEqualTo(503);
            network.resume();
            await().until(() -> node.mcp(tokens.string("access_token")).statusCode() == 200);
            assertThat(node.token(form).statusCode()).isEqualTo(200);
        }
    }
}
