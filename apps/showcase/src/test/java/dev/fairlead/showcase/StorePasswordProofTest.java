package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.ChildProcess;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/** Processes in front of a real PostgreSQL. */
@Tag("proof")
class StorePasswordProofTest {
    @Test
    void aServerStartsWithThePasswordOfAVariableAndNoWarning() throws Exception {
        try (EmbeddedPostgres postgres = postgres()) {
            String store = postgres.getJdbcUrl("postgres", "postgres");
            try (ChildProcess program =
                    Program.start(
                            Map.of("DATABASE_PASSWORD", "s3cret"),
                            "--http",
                            "127.0.0.1:0",
                            "--store",
                            store,
                            "--store-password-env",
                            "DATABASE_PASSWORD")) {
                program.url();
                assertThat(program.errors()).doesNotContain("warning");
            }
            try (ChildProcess program =
                    Program.start("--http", "127.0.0.1:0", "--store", store + "&password=s3cret")) {
                program.url();
                assertThat(program.errors()).contains("warning: " + StorePassword.WARNING);
            }
        }
    }

    private static EmbeddedPostgres postgres() throws Exception {
        return EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60)).start();
    }
}
