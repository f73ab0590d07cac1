package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.logging.LoggingLevel;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The client against a server of the second generation of the TypeScript SDK. */
class TypeScriptServerTest extends PerRequestServerChecks {
    @Override
    List<String> command(String transport) {
        return Npm.script("per-request-server.mjs", transport);
    }

    @Override
    String booked() {
        return "Oslo true true";
    }

    @ParameterizedTest
    @EnumSource(
            value = Route.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"HTTP_WITH_HANDSHAKE", "GATEWAY_OLD_SERVER"}) // it asks in rounds only
    void thePersonTheModelAndTheRootsAreAskedTogether(Route route) throws Exception {
        assertThat(connect(route).callTool("together", JsonObject.EMPTY).text())
                .isEqualTo("true sampled file:///one");
    }

    @ParameterizedTest
    @EnumSource(
            value = Route.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = "HTTP_WITH_HANDSHAKE") // this SDK keeps no sessions there
    void logMessagesAndChangesArrive(Route route) throws Exception {
        McpClient client = connect(route);
        client.setLoggingLevel(LoggingLevel.WARNING);

        client.callTool("log", JsonObject.EMPTY);
        assertThat(logged.poll(60, TimeUnit.SECONDS)).isEqualTo("WARNING \"odd\"");

        BlockingQueue<String> updated = new LinkedBlockingQueue<>();
        try (Subscription watch = client.watch("note://1", updated::add)) {
            client.callTool("touch", JsonObject.EMPTY);
            assertThat(updated.poll(60, TimeUnit.SECONDS)).isEqualTo(watch.uri());
        }
    }
}
