package dev.fairlead.acceptance.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.json.JsonObject;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.logging.Level;

/** A server behind a gateway that would fill the disk with the log of the gateway. */
@Timeout(240)
class FloodOfUpstreamAttackTest {
    @Test
    void aFloodInOneCallLeavesFewLines() throws Exception {
        String[] command = ChildJvm.command(FloodingServer.class).toArray(String[]::new);
        try (Logged log = new Logged("dev.fairlead", Level.INFO);
                Gateway gateway =
                        Gateway.named("gateway", "1")
                                .server("bad", Stdio.command(command))
                                .build();
                McpClient client = McpClient.connect(gateway.inProcess())) {
            assertThat(client.callTool("flood", JsonObject.EMPTY).text()).isEqualTo("done");

            assertThat(String.join("\n", log.lines())).hasSizeLessThan(8 << 10);
        }
    }
}
