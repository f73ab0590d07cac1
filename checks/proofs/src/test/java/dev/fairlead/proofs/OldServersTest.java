package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.stdio.StdioCommand;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * Servers of the time before revision 2026-07-28, as processes: which kind they are is found, soon
 * enough, and not asked again. At full size with {@code -Dfairlead.proofs=full} they are as slow as
 * a server may be, and the probe waits as long as it does by default.
 */
@Tag("proof")
@Timeout(900)
class OldServersTest {
    /** How long starting processes may take on a busy machine; far less than a request may. */
    private static final Duration START = Duration.ofSeconds(60);

    private static final Duration REQUEST = Duration.ofMinutes(10);

    /** The timeout of the probe for servers that answer later or never. */
    private static final Duration SHORT_PROBE =
            Scale.isFull() ? Duration.ofSeconds(5) : Duration.ofSeconds(4);

    /** The timeout of the probe for servers that answer or exit at once, as soon as they run. */
    private static final Duration LONG_PROBE = Duration.ofMinutes(5);

    /** How an old server treats a request that it does not know, and how long it takes for it. */
    record Manner(String arguments, Duration delay) {
        StdioCommand server() {
            return Stdio.command(
                            ChildJvm.command(OldServer.class, arguments.split(" "))
                                    .toArray(String[]::new))
                    .onStderr(line -> {});
        }

        Duration probe() {
            return arguments.equals("silent") || arguments.startsWith("late")
                    ? SHORT_PROBE
                    : LONG_PROBE;
        }

        /** How long connecting may take. */
        Duration limit() {
            return START.plus(delay).plus(SHORT_PROBE);
        }

        @Override
        public String toString() {
            return arguments;
        }
    }

    static Stream<Manner> manners() {
        Stream<Integer> delays = Scale.isFull() ? Stream.of(3, 8, 20) : Stream.of(1, 6);
        Stream<Integer> codes =
                Stream.of(-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, 0, 404);
        return Stream.of(
                        Stream.of("silent", "exit", "result")
                                .map(manner -> new Manner(manner, Duration.ZERO)),
                        delays.map(
                                seconds ->
                                        new Manner(
                                                "late " + seconds * 1_000,
                                                Duration.ofSeconds(seconds))),
                        codes.map(code -> new Manner("code " + code, Duration.ZERO)))
                .flatMap(each -> each);
    }

    private static McpClient connect(Manner manner) throws InterruptedException {
        return McpClient.named("desk", "1")
                .probeTimeout(manner.probe())
                .requestTimeout(REQUEST)
                .connect(manner.server());
    }

    private static String seen(McpClient client) throws InterruptedException {
        return client.callTool("seen", JsonObject.EMPTY).text();
    }

    @ParameterizedTest
    @MethodSource("manners")
    @Requirement("N26-LIFE-015")
    void theyAreGreetedAndRemembered(Manner manner) throws Exception {
        long began = System.nanoTime();
        try (McpClient client = connect(manner)) {
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
            assertThat(seen(client))
                    .isEqualTo(
                            manner.arguments().equals("exit") // its second process is greeted
                                    ? "[\"initialize\",\"notifications/initialized\",\"tools/call\"]"
                                    : "[\"server/discover\",\"initialize\","
                                            + "\"notifications/initialized\",\"tools/call\"]");
            assertThat(took).isLessThan(manner.limit());
        }

        try (McpClient again = connect(manner)) {
            assertThat(again.revision()).isEqualTo(Revision.V2025_11_25);
            assertThat(seen(again)).doesNotContain("server/discover");
        }
    }

    @Test
    void aSlowServerWithoutHandshakesIsFound() throws Exception {
        StdioCommand server =
                Stdio.command(ChildJvm.command(LateServer.class).toArray(String[]::new))
                        .onStderr(line -> {});
        try (McpClient client =
                McpClient.named("desk", "1").probeTimeout(Duration.ofSeconds(1)).connect(server)) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
    }
}
