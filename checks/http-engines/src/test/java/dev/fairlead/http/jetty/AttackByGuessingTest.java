package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Guessed session ids of other clients, and callers that send too many requests. */
@Timeout(120)
class AttackByGuessingTest extends HttpTest {
    private static final String SECRET = "xxxxxxxxxxxxxxxxxxxxxx";

    @TempDir Path folder;

    /** All that a client sees, apart from the time of day. */
    private record Seen(int status, Map<String, String> headers, String body) {
        static Seen of(Answer answer) {
            answer.headers().remove("Date");
            return new Seen(answer.status(), answer.headers(), answer.body());
        }
    }

    private List<Seen> tries(HttpServing serving, String id) throws IOException {
        List<Seen> seen = new ArrayList<>();
        seen.add(Seen.of(post(serving, request(1, "ping"), SESSION, id)));
        seen.add(Seen.of(post(serving, NOTIFICATION, SESSION, id)));
        seen.add(Seen.of(method(serving, "GET", SESSION, id, "Accept", "text/event-stream")));
        seen.add(Seen.of(method(serving, "DELETE", SESSION, id)));
        return seen;
    }

    @Test
    @Requirement({"HTTP-038", "ROOM-045"})
    void idsThatNeverWereThatAreOverAndThatAreNoIdsLookTheSame() throws Exception {
        HttpServing serving = serve();
        String ended = session(serving);
        assertThat(method(serving, "DELETE", SESSION, ended).status()).isEqualTo(204);
        Set<List<Seen>> answers = new LinkedHashSet<>();
        for (String id : List.of(SECRET, ended, "x", "x".repeat(5_000), "../../etc", "a b")) {
            answers.add(tries(serving, id));
        }

        assertThat(answers).hasSize(1);
        assertThat(answers.iterator().next()).allMatch(seen -> seen.status() == 404);
    }

    @Test
    @Requirement({"HTTP-038", "ROOM-045"})
    void whereNoStoreIsAskedClientsLearnHoweverManyTheyAreThatTheirSessionsAreGone()
            throws Exception {
        HttpServing serving = serve(listener -> listener.unknownSessionRate(1, 1));
        for (int i = 0; i < 50; i++) {
            assertThat(post(serving, request(i, "ping"), SESSION, id(i)).status()).isEqualTo(404);
        }
    }

    private static String id(int number) {
        return String.format(Locale.ROOT, "%022d", number);
    }

    private HttpServing durable(UnaryOperator<HttpListener> options) throws IOException {
        Database database = closedLater(Database.sqlite(folder.resolve("events.db")));
        return serveOnTimers(
                listener -> options.apply(listener.eventStore(JdbcEvents.on(database))));
    }

    @Test
    void guessingSessionIdsIsRateLimitedWithoutAffectingOthers() throws Exception {
        HttpServing serving = durable(listener -> listener.unknownSessionRate(1, 20));
        String known = session(serving);
        int guesses = 0;
        Answer refused = post(serving, request(0, "ping"), SESSION, id(0));
        while (refused.status() == 404) {
            guesses++;
            refused = post(serving, request(guesses, "ping"), SESSION, id(guesses));
        }

        assertThat(guesses).isEqualTo(20);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.body())
                .matches(
                        "\\{\"jsonrpc\":\"2.0\",\"id\":"
                                + guesses
                                + ",\"error\":\\{\"code\":-32600,\"message\":\"Too many"
                                + " requests for unknown sessions\",\"data\":\\{\"retryable\":true,"
                                + "\"retryAfterMs\":1000}}}");
        assertThat(post(serving, request(1, "ping"), SESSION, "no id").status()).isEqualTo(404);
        assertThat(post(serving, request(1, "ping"), SESSION, known).status()).isEqualTo(200);
        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
    }

    /** Another server has the session, as after a restart: only the store knows it. */
    @Test
    void aSessionOfTheStoreIsFoundWhateverOthersOfTheAddressHaveGuessed() throws Exception {
        Database database = closedLater(Database.sqlite(folder.resolve("shared.db")));
        String kept = session(serve(listener -> listener.eventStore(JdbcEvents.on(database))));
        HttpServing serving =
                serveOnTimers(
                        listener ->
                                listener.unknownSessionRate(1, 20)
                                        .eventStore(JdbcEvents.on(database)));
        int guesses = 0;
        while (post(serving, request(0, "ping"), SESSION, id(guesses)).status() == 404) {
            guesses++;
        }

        assertThat(post(serving, request(1, "ping"), SESSION, kept).status()).isEqualTo(200);
    }

    @Test
    void tooManyRequestsAreRefusedWithRetryAfter() throws Exception {
        HttpServing serving = serveOnTimers(listener -> listener.requestRate(1, 10));
        String session = session(serving);
        for (int i = 0; i < 9; i++) {
            assertThat(status(serving, session)).isEqualTo(200);
        }

        Answer refused = post(serving, request(1, "ping"), SESSION, session);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.body()).contains("\"message\":\"Too many requests\"");
        timers.advance(Duration.ofSeconds(1));
        assertThat(status(serving, session)).isEqualTo(200);
    }

    private int status(HttpServing serving, String session) throws IOException {
        return post(serving, request(1, "ping"), SESSION, session).status();
    }

    @Test
    void withoutRatesNoRequestIsCounted() throws Exception {
        HttpServing serving = durable(listener -> listener.unknownSessionRate(1, 1).withoutRates());
        for (int i = 0; i < 20; i++) {
            assertThat(post(serving, request(i, "ping"), SESSION, SECRET).status()).isEqualTo(404);
        }
    }
}
