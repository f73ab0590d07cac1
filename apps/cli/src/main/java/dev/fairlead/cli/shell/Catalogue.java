package dev.fairlead.cli.shell;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/** The lists of the server, kept for completion until the server reports a change. */
final class Catalogue {
    /** How long typing may be held up. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    final Kept<Tool> tools;
    final Kept<Prompt> prompts;
    final Kept<Resource> resources;
    final Kept<ResourceTemplate> templates;

    /**
     * @param patience how long the server is waited for
     */
    Catalogue(ClientRequests server, Duration patience) {
        ClientRequests quick = server.withTimeout(patience, patience);
        tools = new Kept<>(quick::tools);
        prompts = new Kept<>(quick::prompts);
        resources = new Kept<>(quick::resources);
        templates = new Kept<>(quick::resourceTemplates);
    }

    /** The input schema of a tool; null where it is not known. */
    @Nullable JsonObject schema(String tool) {
        return tool(tool).map(Tool::inputSchema).orElse(null);
    }

    /** Returns whether a tool is known to be called as a task only. */
    boolean requiresTask(String tool) {
        return tool(tool).filter(one -> one.taskSupport() == TaskSupport.REQUIRED).isPresent();
    }

    private Optional<Tool> tool(String name) {
        return tools.get().stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /** The next look reads all lists again. */
    void forget() {
        tools.forget();
        prompts.forget();
        resources.forget();
        templates.forget();
    }
}
