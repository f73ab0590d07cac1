package dev.fairlead.acceptance.attack;

import dev.fairlead.jdbc.Database;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The same floods against a proxy with a database. */
@Tag("proof")
class StoredProxyFloodAttackTest extends ProxyFloodAttackTest {
    @TempDir Path folder;
    private Database database;

    @Override
    McpServer.Builder configured(McpServer.Builder builder) {
        database = Database.sqlite(folder.resolve("logins.db"));
        return builder.store(database);
    }

    @AfterEach
    @Override
    void stop() {
        super.stop();
        database.close();
    }
}
