package vault;

import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpResource;
import dev.fairlead.server.annotation.McpTool;

import org.jspecify.annotations.NullMarked;

/** Features only for callers with scopes. */
@NullMarked
class Vault {
    /** Opens the vault. */
    @McpTool(requireScopes = {"vault:read", "vault:open"})
    String open() {
        return "open";
    }

    @McpResource(value = "vault://gold", requireScopes = "vault:read")
    String gold() {
        return "100 bars";
    }

    @McpResource(value = "vault://{id}", requireScopes = "vault:read")
    String item(String id) {
        return id;
    }

    /** Counts the coins. */
    @McpPrompt(requireScopes = "vault:read")
    GetPromptResult count() {
        return GetPromptResult.of(user("Count!"));
    }
}
