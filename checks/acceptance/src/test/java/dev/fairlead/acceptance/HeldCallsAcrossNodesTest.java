package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.Peers;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.PerRequestFrames;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Held calls whose rounds reach two nodes of one server, which forward to each other. */
@Timeout(120)
class HeldCallsAcrossNodesTest extends HeldCalls {
    private static final Duration SHORT = Duration.ofMillis(1);

    @TempDir Path folder;

    private Database database;
    private McpServer holding;
    private McpServer forwarding;
    private HttpServing holder;
    private HttpServing other;

    @BeforeEach
    void start() throws IOException {
        database = Database.sqlite(folder.resolve("shared.db"));
        holding = server().build();
        forwarding = server().build();
        holder = serve(holding, SHORT);
        other = serve(forwarding, SHORT);
    }

    private HttpServing serve(McpServer server, Duration grace) throws IOException {
        return server.serve(
                PerRequestFrames.listener()
                        .shutdownGrace(grace)
                        .eventStore(JdbcEvents.on(database))
                        .peers(Peers.listen("127.0.0.1", 0)));
    }

    @AfterEach
    void stop() {
        holding.close();
        forwarding.close();
        database.close();
    }

    private JsonObject asked() throws Exception {
        JsonObject asked = result(begin(here, holder));
        assertThat(asked.string("requestState")).startsWith("at-");
        return asked;
    }

    @Test
    @Requirement({"N26-MRTR-003", "N26-MRTR-016"})
    void aRoundReachesTheNodeThatHoldsItsCall() throws Exception {
        JsonObject second = result(post(here, other, body("held", asked(), "Ada ")));
        JsonObject last = result(post(there, other, body("held", second, "Lovelace")));

        assertThat(text(last)).isEqualTo("Ada Lovelace");
        assertThat(bodies).hasValue(1);
    }

    @Test
    void aRoundIsTakenWhileItsNodeCloses() throws Exception {
        HttpServing ending = serve(holding, Duration.ofMinutes(2));
        JsonObject first = result(begin(here, ending));
        Thread closing = Thread.ofVirtual().start(ending::close);
        await().until(() -> ending.metrics().draining());

        JsonObject second = result(post(here, other, body("held", first, "Ada ")));
        JsonObject last = result(post(here, other, body("held", second, "Lovelace")));

        assertThat(text(last)).isEqualTo("Ada Lovelace");
        closing.join();
    }

    @Test
    @Requirement("N26-MRTR-014")
    void theCallOfANodeThatHasEndedIsGone() throws Exception {
        JsonObject first = asked();
        holding.close();

        assertGone(post(here, other, body("held", first, "Ada")));
        assertThat(bodies).hasValue(1);
    }

    /** The node is not secret, but nothing of it can be changed. */
    @Test
    void aStateThatNamesAnotherNodeIsRefused() throws Exception {
        JsonObject asked = asked();
        String state = asked.string("requestState");
        String sealed = state.substring(state.indexOf("v1."));
        String away = result(begin(here, other)).string("requestState");
        String otherNode = away.substring(0, away.indexOf("v1."));
        for (String forged : new String[] {sealed, otherNode + sealed, "at-987654." + sealed}) {
            JsonObject altered = asked.with("requestState", forged);
            for (HttpServing each : new HttpServing[] {holder, other}) {
                assertThat(json(post(here, each, body("held", altered, "Ada"))).toJson())
                        .as(forged)
                        .contains("invalid_request_state");
            }
        }
        JsonObject second = result(post(here, other, body("held", asked, "Ada ")));
        assertThat(text(result(post(here, other, body("held", second, "Lovelace")))))
                .isEqualTo("Ada Lovelace");
    }

    @Test
    void aStateWithTheIdOfASessionReachesItsNodeToo() throws Exception {
        JsonObject first = asked();
        var request =
                java.net.http.HttpRequest.newBuilder(
                                request(other, "held", body("held", first, "Ada ")), (n, v) -> true)
                        .header("MCP-Session-Id", "no-such-session")
                        .build();
        JsonObject second =
                result(here.send(request, java.net.http.HttpResponse.BodyHandlers.ofString()));
        assertThat(second.string("requestState")).startsWith("at-");
    }
}
