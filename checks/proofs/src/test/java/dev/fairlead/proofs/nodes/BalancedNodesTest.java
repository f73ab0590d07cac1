package dev.fairlead.proofs.nodes;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.protocol.Revision;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.FreePort;
import dev.fairlead.test.support.Nginx;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Three processes behind a real nginx, with the configuration of the page about nodes. */
@Tag("proof")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BalancedNodesTest extends ClosingTest {
    private static final int CLIENTS = 6;
    private static final Path PAGE = Path.of("../../docs/several-nodes.md");

    private static Nodes nodes;

    private final Queue<String> renewed = new ConcurrentLinkedQueue<>();

    @TempDir private Path folder;

    /** The way in which nginx finds a node. */
    private enum Balancing {
        BY_SESSION("hash \\$http_mcp_session_id consistent;"),
        BY_ROTATION("");

        final String line;

        Balancing(String line) {
            this.line = line;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        nodes = Nodes.start(3);
    }

    @AfterAll
    static void stop() throws Exception {
        nodes.close();
    }

    /** The block of the page, with the ports of this test. */
    private static String site(Balancing balancing, int port) throws Exception {
        Matcher block =
                Pattern.compile("(?ms)^```nginx\n(.*?)^```$").matcher(Files.readString(PAGE));
        assertThat(block.find()).as("a block for nginx on the page").isTrue();
        String servers =
                Arrays.stream(nodes.ports())
                        .mapToObj(node -> "server 127.0.0.1:" + node + ";")
                        .collect(Collectors.joining(" "));
        return block.group(1)
                .replaceAll("hash [^;]+;", balancing.line)
                .replaceAll("(server node\\d:3000; ?)+", servers)
                .replace("server {", "server {\nlisten 127.0.0.1:" + port + ";");
    }

    @ParameterizedTest
    @EnumSource(Balancing.class)
    void sessionsOutliveAKilledNode(Balancing balancing) throws Exception {
        assumeThat(Nginx.program()).isPresent();
        nodes.restartEnded();
        int port = FreePort.find();
        closedLater(Nginx.start(folder, port, site(balancing, port)));
        List<McpClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(connect(port));
        }
        for (McpClient client : clients) {
            assertServed(client);
        }

        nodes.get(0).kill();

        for (McpClient client : clients) {
            await().ignoreExceptions().until(() -> isServed(client));
            assertServed(client);
        }
        assertThat(renewed).as("sessions that were lost").isEmpty();
    }

    private McpClient connect(int port) throws InterruptedException {
        return closedLater(
                Callers.of(Revision.V2025_11_25)
                        .onNewSession(why -> renewed.add(String.valueOf(why.getMessage())))
                        .connect(Http.to("http://127.0.0.1:" + port + "/mcp")));
    }

    private static boolean isServed(McpClient client) throws InterruptedException {
        assertServed(client);
        return true;
    }

    /** Checks a call with progress on its stream, and one that asks twice. */
    private static void assertServed(McpClient client) throws InterruptedException {
        Callers.callInSteps(client, 20);
        Callers.callAndAnswer(client);
    }
}
