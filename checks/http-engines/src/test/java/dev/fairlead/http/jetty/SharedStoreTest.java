package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.options.HttpSessionListener;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Servers that share a store of sessions and events. */
@Timeout(120)
class SharedStoreTest extends HttpTest {
    @TempDir Path folder;

    private Database database;
    private final BlockingQueue<HttpSessionListener.Reason> ended = new LinkedBlockingQueue<>();

    @BeforeEach
    void open() {
        database = closedLater(Database.sqlite(folder.resolve("shared.db")));
    }

    private static final Duration IDLE = Duration.ofHours(1);

    private HttpServing share() throws IOException {
        return serveOnTimers(
                listener ->
                        listener.sessionIdleTimeout(IDLE)
                                .eventStore(JdbcEvents.on(database))
                                .sessionListener(
                                        new HttpSessionListener() {
                                            @Override
                                            public void closed(
                                                    HttpSessionInfo session, Reason reason) {
                                                ended.add(reason);
                                            }
                                        }));
    }

    @Test
    void aCopyThatIsIdleLeavesTheSessionToTheServerThatHasContinuedIt() throws Exception {
        HttpServing first = share();
        HttpServing second = share();
        String id = session(first);
        assertThat(post(second, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
        try (Wire stream = wire(second).get(SESSION, id)) {
            assertThat(stream.head().status()).isEqualTo(200);
            Scripted moved = reachable();
            moved.context.send(numbered(1));
            assertThat(stream.event().id()).isNotNull(); // the priming event
            String event = stream.event().id();

            pass(IDLE.dividedBy(10), () -> !ended.isEmpty());
            assertThat(ended.take()).isEqualTo(HttpSessionListener.Reason.MOVED);
            moved.context.send(numbered(2));

            Wire.Event next = stream.event();
            assertThat(next.data()).contains("\"n\":2");
            assertThat(number(next.id())).isEqualTo(number(event) + 1);
            HttpServing third = share();
            assertThat(post(third, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
        }
    }

    private static long number(String event) {
        return Long.parseLong(event.substring(event.lastIndexOf('-') + 1));
    }
}
