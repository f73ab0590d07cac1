package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Main;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.testing.RoundRobin;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The client of the TypeScript SDK, the command line and the conformance suite, each of whose
 * requests goes to the next of three processes that share a PostgreSQL.
 */
@Timeout(600)
class ByRotationTest {
    private static final List<ChildProcess> NODES = new ArrayList<>();

    private static EmbeddedPostgres postgres;
    private static RoundRobin balancer;

    @BeforeAll
    static void start() throws Exception {
        postgres = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start();
        String store = postgres.getJdbcUrl("postgres", "postgres");
        for (int i = 0; i < 3; i++) {
            NODES.add(Showcase.overHttp("--peers", "127.0.0.1:0", "--store", store));
        }
        balancer =
                new RoundRobin(
                        NODES.stream()
                                .mapToInt(node -> URI.create(node.url()).getPort())
                                .toArray());
    }

    @AfterAll
    static void stop() throws Exception {
        balancer.close();
        for (ChildProcess node : NODES) {
            node.close();
        }
        postgres.close();
    }

    private static Stream<DynamicTest> checks(String peer) throws Exception {
        List<String> target = List.of(balancer.uri().toString());
        return Checks.run(Npm.script("run.mjs", peer, "http"), target);
    }

    @TestFactory
    Stream<DynamicTest> theFirstGeneration() throws Exception {
        return checks("sdk1");
    }

    @TestFactory
    Stream<DynamicTest> theSecondGeneration() throws Exception {
        return checks("sdk2");
    }

    @TestFactory
    Stream<DynamicTest> tasksOfTheFirstGeneration() throws Exception {
        return checks("tasks-sdk1");
    }

    @TestFactory
    Stream<DynamicTest> tasksOfRevision20260728() throws Exception {
        return checks("tasks-extension");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void theCommandLine(String revision) throws Exception {
        assertThat(run(revision, "ping", "--json")).isEqualTo("{}\n");
        assertThat(run(revision, "tools", "list", "--json")).contains("interop_echo");
        assertThat(run(revision, "tools", "call", "interop_echo", "text=hé")).contains("hé");
        assertThat(run(revision, "resources", "list", "--json"))
                .contains("interop://page/000", "interop://page/059");
        assertThat(
                        run(
                                revision,
                                "tools",
                                "call",
                                "test_elicitation",
                                "message=Who?",
                                "--elicit",
                                "{\"username\": \"ada\", \"email\": \"ada@example.com\"}"))
                .contains("ada@example.com");
        assertThat(
                        run(
                                revision,
                                "tools",
                                "call",
                                "test_sampling",
                                "prompt=Hello?",
                                "--sample",
                                "sampled"))
                .contains("LLM response: sampled");
        assertThat(
                        run(
                                revision,
                                "tools",
                                "call",
                                "task_elicit",
                                "--task",
                                "--elicit",
                                "{\"name\": \"Ada\"}"))
                .contains("Hello Ada");
    }

    @ParameterizedTest
    @CsvSource({"2025-11-25, 30/30", "2026-07-28, 37/37"})
    void theConformanceSuite(String revision, String scenarios) throws Exception {
        String output = conformance(revision, 3);

        assertThat(output).contains("required: " + scenarios + " scenarios").contains(" 0 failed");
    }

    /** Some scenarios wait 1 s for an answer, which three nodes beside other tests may need. */
    private static String conformance(String revision, int tries) throws Exception {
        Path folder = Path.of("..", "conformance").toAbsolutePath().normalize();
        String url = balancer.uri().toString();
        try {
            return Programs.run(
                    folder, List.of("./run", "--strict", "--required", "server", url, revision));
        } catch (AssertionError e) {
            if (tries == 1) {
                throw e;
            }
            return conformance(revision, tries - 1);
        }
    }

    private static String run(String revision, String... typed) throws Exception {
        List<String> command = ChildJvm.command(Main.class, typed);
        command.addAll(List.of("--revision", revision, balancer.uri().toString()));
        return Programs.run(Path.of("").toAbsolutePath(), command);
    }
}
