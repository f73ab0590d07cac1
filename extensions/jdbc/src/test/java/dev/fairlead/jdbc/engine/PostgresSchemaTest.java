package dev.fairlead.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseException;
import dev.fairlead.jdbc.TestPostgres;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

@Tag("proof")
class PostgresSchemaTest {
    @Test
    void aNewerPostgresSchemaIsRefusedWithoutHoldingItsLock() throws Exception {
        String url = TestPostgres.database();
        Database.postgres(url).close();
        SchemaTest.execute(url, SchemaTest.NEWER);

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> Database.postgres(url))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageStartingWith("the schema of the database is version 99, but");
        }
    }

    @Test
    void streamsOfAnOlderPostgresAreCarriedOver() throws Exception {
        String url = TestPostgres.database();
        Database.postgres(url).close();
        SchemaTest.run(url, SchemaTest.BACK_TO_3);

        try (Engine engine = PostgresEngine.open(url, null, 3, 10, Duration.ofMinutes(1))) {
            SchemaTest.assertCarriedOver(engine);
        }
    }
}
