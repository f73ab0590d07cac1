package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.http.options.Peers;
import dev.fairlead.http.spi.Route;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.test.support.Logged;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;

/** Reports for operators, between nodes that share a database. */
@Timeout(120)
class NodeReportsTest extends HttpTest {
    @TempDir Path folder;

    private Database database;
    private final List<HttpOperator> operators = new ArrayList<>();

    @BeforeEach
    void open() {
        database = closedLater(Database.sqlite(folder.resolve("shared.db")));
    }

    /** Starts a node, and returns the access of its operator. */
    private HttpOperator node() throws IOException {
        serve(
                listener ->
                        listener.eventStore(JdbcEvents.on(database))
                                .peers(Peers.listen("127.0.0.1", 0))
                                .console(new Captured(operators)));
        return operators.getLast();
    }

    private static JsonObject named(String name) {
        return JsonObject.of("name", name);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks until these have reported, each in time once. */
    private static void awaitReports(HttpOperator asking, String... names) {
        Set<String> found = new HashSet<>();
        while (!found.containsAll(Set.of(names))) {
            for (JsonObject report : asking.nodeReports()) {
                found.add(report.string("name"));
            }
        }
        assertThat(found).containsExactlyInAnyOrder(names);
    }

    @Test
    void eachNodeGetsTheReportsOfAllOthers() throws Exception {
        HttpOperator one = node();
        HttpOperator two = node();
        HttpOperator three = node();
        one.reportToNodes(() -> named("one"));
        two.reportToNodes(() -> named("two"));
        three.reportToNodes(() -> named("three"));

        awaitReports(one, "two", "three");
        awaitReports(three, "one", "two");
    }

    @Test
    void aNodeWithoutReportGivesAnEmptyOne() throws Exception {
        HttpOperator one = node();
        node();
        List<JsonObject> reports = one.nodeReports();
        while (reports.isEmpty()) {
            reports = one.nodeReports();
        }
        assertThat(reports).containsExactly(JsonObject.EMPTY);
    }

    @Test
    void aNodeThatDoesNotAnswerIsNotAwaitedForLong() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        HttpOperator one = node();
        node().reportToNodes(
                        () -> {
                            asked.countDown();
                            await(answers);
                            return named("late");
                        });
        try {
            while (asked.getCount() > 0) {
                assertThat(one.nodeReports()).isEmpty();
            }
        } finally {
            answers.countDown();
        }
    }

    @Test
    void aReportThatFailsOrIsTooLargeCostsItselfAlone() throws Exception {
        HttpOperator one = node();
        HttpOperator two = node();
        HttpOperator three = node();
        HttpOperator four = node();
        two.reportToNodes(
                () -> {
                    throw new IllegalStateException("no report today");
                });
        three.reportToNodes(() -> named("x".repeat(2 << 20)));
        four.reportToNodes(() -> named("four"));

        awaitReports(one, "four");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[::bad", "a b:80", "node_1:80", "node:99999", "node:80/x", "node"})
    void aNodeWhoseAddressCannotBeReadCostsItselfAlone(String address) throws Exception {
        HttpOperator one = node();
        HttpOperator two = node();
        two.reportToNodes(() -> named("two"));
        SessionStore bad = JdbcEvents.on(database).sessions().orElseThrow();
        try (Logged logged = new Logged("dev.fairlead.http.peer.PeerCall", Level.WARNING);
                SessionStore.Membership member = bad.join(() -> {})) {
            member.announce(address);

            awaitReports(one, "two");
            assertThat(logged.lines())
                    .startsWith(
                            "WARNING Node "
                                    + member.node()
                                    + " cannot be reached: its address in the store must be"
                                    + " HOST:PORT but was '"
                                    + address
                                    + "'; correct its HttpOptions.peers");
        }
    }

    @Test
    void withoutPeersNoNodeIsAsked() throws Exception {
        serve(listener -> listener.console(new Captured(operators)));
        operators.getLast().reportToNodes(() -> named("alone"));

        assertThat(operators.getLast().nodeReports()).isEmpty();
    }

    /** A console without pages. */
    private record Captured(List<HttpOperator> operators) implements HttpConsole {
        @Override
        public List<String> paths() {
            return List.of("/desk/");
        }

        @Override
        public Mounted mount(@Nullable HttpOperator endpoint) {
            operators.add(endpoint);
            return new Mounted() {
                @Override
                public List<Route> routes() {
                    return List.of();
                }

                @Override
                public void close() {}
            };
        }
    }
}
