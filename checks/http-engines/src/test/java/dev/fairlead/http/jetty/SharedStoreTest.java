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
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    void aSessionMovesToTheServerThatItsClientComesTo() throws Exception {
        HttpServing first = share();
        HttpServing second = share();
        String id = session(first);
        try (Wire left = wire(first).get(SESSION, id)) {
            assertThat(left.head().status()).isEqualTo(200);
            assertThat(left.event().id()).isNotNull(); // the priming event
            Scripted before = reachable();
            assertThat(post(second, request(1, "ping"), SESSION, id).status()).isEqualTo(200);

            before.context.send(numbered(1));
            pass(Duration.ofSeconds(1), () -> !ended.isEmpty());
            assertThat(ended.take()).isEqualTo(HttpSessionListener.Reason.MOVED);
            assertThat(rest(left)).isEmpty();
        }
        try (Wire stream = wire(second).get(SESSION, id)) {
            assertThat(stream.head().status()).isEqualTo(200);
            assertThat(stream.event().id()).isNotNull();
            reachable().context.send(numbered(2));
            assertThat(stream.event().data()).contains("\"n\":2");
        }
        HttpServing third = share();
        assertThat(post(third, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(post(first, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
    }

    /** Returns the lines with data until the connection ends, in whichever way. */
    private static List<String> rest(Wire wire) {
        List<String> data = new ArrayList<>();
        try {
            for (Wire.Event event = wire.event(); event != null; event = wire.event()) {
                if (event.data() != null) {
                    data.add(event.data());
                }
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection is still open", e);
        } catch (IOException e) {
            return data;
        }
        return data;
    }
}
