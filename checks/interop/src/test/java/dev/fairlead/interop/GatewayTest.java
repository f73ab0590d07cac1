package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.stdio.StdioCommand;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** The gateway in front of three servers from npm, one of which is killed. */
@Timeout(300)
class GatewayTest {
    private static final int CALLS = 1_000;

    private final Map<String, Integer> answered = new TreeMap<>();
    private final Map<String, Integer> failed = new TreeMap<>();

    private static StdioCommand npm(String name, String... arguments) {
        return Stdio.command(
                        Npm.program("@modelcontextprotocol/" + name, "dist/index.js", arguments)
                                .toArray(String[]::new))
                .onStderr(line -> {});
    }

    @Test
    void oneThatIsKilledDuringAThousandCallsFailsAloneAndServesAgain(@TempDir Path temporary)
            throws Exception {
        Path folder = temporary.toRealPath();
        try (Gateway gateway =
                        Gateway.named("gateway", "1")
                                .connectWait(Duration.ofSeconds(60))
                                .server("everything", npm("server-everything"))
                                .server("files", npm("server-filesystem", folder.toString()))
                                .server(
                                        "memory",
                                        npm("server-memory")
                                                .environment(
                                                        "MEMORY_FILE_PATH",
                                                        folder.resolve("memory").toString()))
                                .build();
                HttpServing serving = gateway.serve(Http.port(0));
                McpClient client =
                        McpClient.named("test", "1")
                                .requestTimeout(Duration.ofSeconds(90))
                                .connect(Http.to(serving.uri()))) {
            assertThat(client.tools())
                    .extracting(Tool::name)
                    .contains("echo", "list_directory", "read_graph");
            JsonObject here = JsonObject.of("path", folder.toString());
            boolean back = false;
            for (int i = 0; i < CALLS || !back; i++) {
                if (i % (CALLS / 4) == CALLS / 4 - 1 && failed.isEmpty()) {
                    kill("server-memory"); // again, if it was back before it was called
                }
                call(client, "echo", JsonObject.of("message", "m" + i));
                call(client, "list_directory", here);
                back = call(client, "read_graph", JsonObject.EMPTY) && failed.size() > 0;
            }
        }
        assertThat(failed).containsOnlyKeys("read_graph");
    }

    private static void kill(String server) {
        ProcessHandle.current()
                .descendants()
                .filter(child -> child.info().commandLine().orElse("").contains(server))
                .forEach(ProcessHandle::destroyForcibly);
    }

    private boolean call(McpClient client, String tool, JsonObject arguments)
            throws InterruptedException {
        try {
            assertThat(client.callTool(tool, arguments).isError()).isFalse();
            answered.merge(tool, 1, Integer::sum);
            return true;
        } catch (JsonRpcException e) {
            assertThat(e.code()).isEqualTo(-32603);
            assertThat(e).hasMessage("The server memory is not available");
            failed.merge(tool, 1, Integer::sum);
            LockSupport.parkNanos(1_000_000);
            return false;
        }
    }
}
