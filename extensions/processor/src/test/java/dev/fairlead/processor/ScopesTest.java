package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** The features of the sample {@code vault}, which require scopes. */
class ScopesTest {
    @TempDir Path directory;

    private McpServer server() throws Exception {
        return McpServer.named("vault", "1")
                .features(Samples.features(Samples.compile("vault", directory), "vault.Vault"))
                .build();
    }

    private static Caller caller(String... scopes) {
        return Caller.of("https://login.example", "ann", null, Set.of(scopes));
    }

    private static void assertRefused(ThrowingCallable use, String... missing) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        InsufficientScopeException.class,
                        refusal ->
                                assertThat(refusal.requiredScopes())
                                        .containsExactlyInAnyOrder(missing));
    }

    @Test
    @Requirement("SEC-024")
    void aMissingScopeIsRefusedWithTheRequiredOnes() throws Exception {
        try (McpServer server = server();
                McpClient client = McpClient.connect(server.inProcess(caller("vault:open")))) {
            assertRefused(
                    () -> client.callTool("open", JsonObject.EMPTY), "vault:read", "vault:open");
            assertRefused(() -> client.readResource("vault://gold"), "vault:read");
            assertRefused(() -> client.readResource("vault://1"), "vault:read");
            assertRefused(() -> client.getPrompt("count", Map.of()), "vault:read");
            assertThat(client.tools()).hasSize(1);
        }
    }

    @Test
    void aCallerWithAllScopesIsServed() throws Exception {
        Caller caller = caller("vault:open", "vault:read", "other");
        try (McpServer server = server();
                McpClient client = McpClient.connect(server.inProcess(caller))) {
            assertThat(client.callTool("open", JsonObject.EMPTY).toString()).contains("open");
            assertThat(client.readResource("vault://gold").toString()).contains("100 bars");
            assertThat(client.readResource("vault://1").toString()).contains("1");
            assertThat(client.getPrompt("count", Map.of()).toString()).contains("Count!");
        }
    }
}
