package dev.fairlead.server.features;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.protocol.lifecycle.ListCapability;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.completion.CompletionMethods;
import dev.fairlead.server.pagination.Paging;
import dev.fairlead.server.prompts.PromptMethods;
import dev.fairlead.server.resources.ResourceMethods;
import dev.fairlead.server.tools.ToolCallRoute;
import dev.fairlead.server.tools.ToolMethods;

/**
 * The declared features of a server at one moment.
 *
 * @param takesTasks whether tools run, or once ran, as tasks
 */
public record DeclaredFeatures(
        FeatureSet features, ServerSettings settings, boolean takesTasks, HeldCalls heldCalls)
        implements FeatureProvider {
    @Override
    public ServerCapabilities capabilities() {
        ListCapability changing = new ListCapability(true);
        TasksCapability tasks =
                new TasksCapability().listing().cancelling().taking(Methods.CALL_TOOL.name());
        return new ServerCapabilities(
                features.tools().isEmpty() ? null : changing,
                features.resources().isEmpty()
                        ? null
                        : new ServerCapabilities.Resources(true, true),
                features.prompts().isEmpty() ? null : changing,
                features.hasCompletions() ? JsonObject.EMPTY : null,
                JsonObject.EMPTY, // logging
                takesTasks ? tasks : null,
                settings.experimental,
                null,
                JsonObject.EMPTY);
    }

    @Override
    public void addTo(ServedMethods methods) {
        Paging paging = new Paging(settings.pageSize);
        ToolMethods tools = new ToolMethods(features.tools(), paging);
        ResourceMethods resources = new ResourceMethods(features.resources(), paging);
        PromptMethods prompts = new PromptMethods(features.prompts(), paging);
        methods.addList(Methods.LIST_TOOLS, tools::list);
        methods.add(Methods.CALL_TOOL, new ToolCallRoute(features.tools(), heldCalls));
        methods.addList(Methods.LIST_RESOURCES, resources::list);
        methods.addList(Methods.LIST_RESOURCE_TEMPLATES, resources::listTemplates);
        methods.add(
                Methods.READ_RESOURCE, new AskingRoute<>(Methods.READ_RESOURCE, resources::read));
        methods.addList(Methods.LIST_PROMPTS, prompts::list);
        methods.add(Methods.GET_PROMPT, new AskingRoute<>(Methods.GET_PROMPT, prompts::get));
        methods.add(
                Methods.COMPLETE,
                new CompletionMethods(prompts::completions, resources::completions)::complete);
        methods.sessions().add(Methods.SUBSCRIBE, resources::subscribe);
        methods.sessions().add(Methods.UNSUBSCRIBE, resources::unsubscribe);
        methods.sessions()
                .add(
                        Methods.SET_LEVEL,
                        (params, call) -> {
                            call.requireSession().announcements().setLevel(params.level());
                            return EmptyResult.EMPTY;
                        });
    }

    @Override
    public boolean isVisible(String uri, Caller caller) {
        return new ResourceMethods(features.resources(), new Paging(settings.pageSize))
                .isVisible(uri, caller);
    }
}
