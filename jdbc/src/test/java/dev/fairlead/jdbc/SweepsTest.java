package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;

class SweepsTest {
    private static final String DUE =
            "select cast(extract(epoch from execution_time) * 1000 as bigint) from mcp_scheduled";

    /** A node whose own clock is wrong would put off the sweeps of all. */
    @Test
    void theNextSweepIsDueByTheTimeThatAllNodesShare() throws Exception {
        String url = TestPostgres.database();
        Instant shared = Instant.now().plus(Duration.ofHours(1));
        CountDownLatch swept = new CountDownLatch(1);
        try (Database database = Database.postgres(url)) {
            Sweeps sweeps =
                    new Sweeps(
                            database.engine().sweeping(), "tasks", () -> shared, swept::countDown);
            try (sweeps) {
                sweeps.started();
                Await.until(() -> swept.getCount() == 0);
                Await.until(() -> TestPostgres.number(url, DUE) > shared.toEpochMilli());
            }
            assertThat(Instant.ofEpochMilli(TestPostgres.number(url, DUE)))
                    .isCloseTo(shared.plus(Sweeps.INTERVAL), within(1, ChronoUnit.SECONDS));
        }
    }

    @Test
    void theTimeThatNodesShareIsThatOfTheDatabase() throws Exception {
        try (Database database = Database.postgres(TestPostgres.database())) {
            StoreAccess access = new StoreAccess(database.engine(), "tasks");
            Instant later = Instant.now().plus(Duration.ofHours(1));

            access.databaseTimeIs(later.toEpochMilli());

            assertThat(access.databaseTime())
                    .isBetween(later.minusMillis(1), later.plusSeconds(60));
        }
    }
}
