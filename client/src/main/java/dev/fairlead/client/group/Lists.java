package dev.fairlead.client.group;

import dev.fairlead.client.McpClient;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Prompt;
import dev.fairlead.protocol.Resource;
import dev.fairlead.protocol.ResourceTemplate;
import dev.fairlead.protocol.ServerCapabilities;
import dev.fairlead.protocol.Tool;

import java.lang.System.Logger.Level;
import java.util.List;

/** What a server offers, as it was last read. */
record Lists(
        ServerCapabilities capabilities,
        List<Tool> tools,
        List<Resource> resources,
        List<ResourceTemplate> templates,
        List<Prompt> prompts) {
    private static final System.Logger LOGGER = System.getLogger(Lists.class.getName());

    static final Lists NONE =
            new Lists(ServerCapabilities.NONE, List.of(), List.of(), List.of(), List.of());

    /** Reads one list. */
    @FunctionalInterface
    private interface Reading<T> {
        List<T> read() throws InterruptedException;
    }

    /** Reads all lists of a server. */
    static Lists read(String server, McpClient client) throws InterruptedException {
        ServerCapabilities able = client.serverCapabilities();
        return new Lists(
                able,
                list(server, "tools", able.tools(), client::tools),
                list(server, "resources", able.resources(), client::resources),
                templates(server, client),
                list(server, "prompts", able.prompts(), client::prompts));
    }

    /** Reads the resource templates of a server. */
    static List<ResourceTemplate> templates(String server, McpClient client)
            throws InterruptedException {
        return list(
                server,
                "resource templates",
                client.serverCapabilities().resources(),
                client::resourceTemplates);
    }

    /** A list that cannot be read counts as empty: the others of the server can still be used. */
    private static <T> List<T> list(String server, String what, boolean there, Reading<T> reading)
            throws InterruptedException {
        if (!there) {
            return List.of();
        }
        try {
            return reading.read();
        } catch (JsonRpcException | InvalidResultException e) {
            LOGGER.log(
                    Level.WARNING,
                    "The {0} of the server {1} cannot be read: {2}",
                    what,
                    server,
                    e.getMessage());
            return List.of();
        }
    }

    Lists withTools(List<Tool> changed) {
        return new Lists(capabilities, changed, resources, templates, prompts);
    }

    Lists withResources(List<Resource> changed, List<ResourceTemplate> changedTemplates) {
        return new Lists(capabilities, tools, changed, changedTemplates, prompts);
    }

    Lists withPrompts(List<Prompt> changed) {
        return new Lists(capabilities, tools, resources, templates, changed);
    }

    /** Whether the server tells of every change of what it has. */
    boolean areKeptUpToDate() {
        return (!capabilities.tools() || capabilities.toolsListChanged())
                && (!capabilities.resources() || capabilities.resourcesListChanged())
                && (!capabilities.prompts() || capabilities.promptsListChanged());
    }
}
