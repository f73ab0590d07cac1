package dev.fairlead.client.group;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.List;

/**
 * The lists of a server, as they were last read.
 *
 * @param complete whether every list could be read
 */
record Lists(
        ServerCapabilities capabilities,
        List<Tool> tools,
        List<Resource> resources,
        List<ResourceTemplate> templates,
        List<Prompt> prompts,
        boolean complete) {
    private static final System.Logger LOGGER = System.getLogger(Lists.class.getName());

    static final Lists NONE =
            new Lists(ServerCapabilities.NONE, List.of(), List.of(), List.of(), List.of(), true);

    /** Reads one list. */
    @FunctionalInterface
    private interface Reading<T> {
        List<T> read() throws InterruptedException;
    }

    /**
     * Reads all lists of a server. One that cannot be read stays as it was, so that the others can
     * be used.
     */
    static Lists read(String server, McpClient client, Lists before) throws InterruptedException {
        return read(server, client, client, before);
    }

    /**
     * Reads the lists of a server, like the other method.
     *
     * @param requests of the client, with options
     */
    static Lists read(String server, McpClient client, ClientRequests requests, Lists before)
            throws InterruptedException {
        ServerCapabilities able = client.serverCapabilities();
        List<Tool> tools = list(server, "tools", able.tools(), requests::tools);
        List<Resource> resources = list(server, "resources", able.resources(), requests::resources);
        List<Prompt> prompts = list(server, "prompts", able.prompts(), requests::prompts);
        return new Lists(
                        able,
                        tools == null ? before.tools : tools,
                        resources == null ? before.resources : resources,
                        before.templates,
                        prompts == null ? before.prompts : prompts,
                        tools != null && resources != null && prompts != null)
                .withTemplates(server, able, requests);
    }

    /** These with the templates of the server, if they can be read. */
    Lists withTemplatesOf(String server, McpClient client) throws InterruptedException {
        return withTemplates(server, client.serverCapabilities(), client);
    }

    private Lists withTemplates(String server, ServerCapabilities able, ClientRequests requests)
            throws InterruptedException {
        List<ResourceTemplate> read =
                list(server, "resource templates", able.resources(), requests::resourceTemplates);
        return new Lists(
                capabilities,
                tools,
                resources,
                read == null ? templates : read,
                prompts,
                complete && read != null);
    }

    /** Reads a list; null if that cannot be. */
    private static <T> @Nullable List<T> list(
            String server, String what, boolean there, Reading<T> reading)
            throws InterruptedException {
        if (!there) {
            return List.of();
        }
        try {
            return reading.read();
        } catch (JsonRpcException e) {
            if (e.code() == ErrorCode.METHOD_NOT_FOUND) { // as many answer that have no templates
                return List.of();
            }
            return unread(server, what, e);
        } catch (InvalidResultException | RequestTimeoutException e) {
            return unread(server, what, e);
        }
    }

    private static <T> @Nullable List<T> unread(String server, String what, CallException why) {
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                server,
                "The {0} of the server {1} cannot be read: {2}",
                what,
                server,
                Printable.excerpt(why.getMessage()));
        return null;
    }

    Lists withTools(List<Tool> changed) {
        return new Lists(capabilities, changed, resources, templates, prompts, complete);
    }

    Lists withResources(List<Resource> changed) {
        return new Lists(capabilities, tools, changed, templates, prompts, complete);
    }

    Lists withPrompts(List<Prompt> changed) {
        return new Lists(capabilities, tools, resources, templates, changed, complete);
    }

    /** Whether these lists are complete, and the server reports every change of them. */
    boolean areKeptUpToDate() {
        return complete
                && (!capabilities.tools() || capabilities.toolsListChanged())
                && (!capabilities.resources() || capabilities.resourcesListChanged())
                && (!capabilities.prompts() || capabilities.promptsListChanged());
    }
}
