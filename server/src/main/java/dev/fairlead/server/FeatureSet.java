package dev.fairlead.server;

import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** All features of a server at one moment, immutable. */
record FeatureSet(
        Catalog<ServerTool> tools,
        Catalog<ServerResource> resources,
        Catalog<ServerResourceTemplate> templates,
        Catalog<ServerPrompt> prompts,
        Catalog<ServerMethod> methods,
        Catalog<ServerNotification> notifications,
        Catalog<ServerSource<Tool, CallToolRequest, CallToolResult>> toolSources,
        Catalog<ServerSource<Resource, ReadResourceRequest, ReadResourceResult>> resourceSources,
        long lastNumber) {

    static final FeatureSet EMPTY =
            new FeatureSet(
                    Catalog.empty("tool"),
                    Catalog.empty("resource"),
                    Catalog.empty("template"),
                    Catalog.empty("prompt"),
                    Catalog.empty("method"),
                    Catalog.empty("notification"),
                    Catalog.empty("tool source"),
                    Catalog.empty("resource source"),
                    0);

    /** The lists that clients are told of when they change. */
    enum Kind {
        TOOLS,
        RESOURCES,
        PROMPTS
    }

    /** A set after changes, and the lists that are different now. */
    record Changed(FeatureSet features, Set<Kind> kinds) {}

    /** Applies changes in order, all or, when one is refused, none. */
    Changed apply(List<FeatureChange> changes) {
        var editor = new Editor();
        changes.forEach(editor::apply);
        return editor.done();
    }

    boolean hasFeatures() {
        return hasTools() || hasResources() || !prompts.isEmpty();
    }

    boolean hasTools() {
        return !tools.isEmpty() || !toolSources.isEmpty();
    }

    /** Whether any tool may run as a task. */
    boolean hasTaskTools() {
        return tools.entries().stream()
                .anyMatch(entry -> entry.feature().task().support() != TaskSupport.FORBIDDEN);
    }

    /** Returns whether any tool runs on platform threads. */
    boolean hasBlockingTools() {
        return tools.entries().stream().anyMatch(entry -> entry.feature().blocking());
    }

    boolean hasResources() {
        return !resources.isEmpty() || !templates.isEmpty() || !resourceSources.isEmpty();
    }

    boolean hasCompletions() {
        return templates.entries().stream()
                        .anyMatch(entry -> entry.feature().completions().isPresent())
                || prompts.entries().stream()
                        .anyMatch(entry -> entry.feature().completions().isPresent());
    }

    private final class Editor {
        private final Catalog.Editor<ServerTool> tools = FeatureSet.this.tools.edit();
        private final Catalog.Editor<ServerResource> resources = FeatureSet.this.resources.edit();
        private final Catalog.Editor<ServerResourceTemplate> templates =
                FeatureSet.this.templates.edit();
        private final Catalog.Editor<ServerPrompt> prompts = FeatureSet.this.prompts.edit();
        private final Catalog.Editor<ServerMethod> methods = FeatureSet.this.methods.edit();
        private final Catalog.Editor<ServerNotification> notifications =
                FeatureSet.this.notifications.edit();
        private final Catalog.Editor<ServerSource<Tool, CallToolRequest, CallToolResult>>
                toolSources = FeatureSet.this.toolSources.edit();
        private final Catalog.Editor<
                        ServerSource<Resource, ReadResourceRequest, ReadResourceResult>>
                resourceSources = FeatureSet.this.resourceSources.edit();
        private long number = lastNumber;

        void apply(FeatureChange change) {
            switch (change) {
                case FeatureChange.AddTool add ->
                        tools.put(add.tool().name(), add.tool(), ++number);
                case FeatureChange.AddResource add ->
                        resources.put(add.resource().uri(), add.resource(), ++number);
                case FeatureChange.AddTemplate add ->
                        templates.put(add.template().uriTemplate(), add.template(), ++number);
                case FeatureChange.AddPrompt add ->
                        prompts.put(add.prompt().name(), add.prompt(), ++number);
                case FeatureChange.AddMethod add ->
                        methods.put(add.method().name(), add.method(), ++number);
                case FeatureChange.AddNotification add ->
                        notifications.put(add.notification().name(), add.notification(), ++number);
                case FeatureChange.AddToolSource add ->
                        toolSources.put(add.source().prefix(), add.source(), ++number);
                case FeatureChange.AddResourceSource add ->
                        resourceSources.put(add.source().prefix(), add.source(), ++number);
                case FeatureChange.RemoveToolSource remove -> toolSources.remove(remove.prefix());
                case FeatureChange.RemoveResourceSource remove ->
                        resourceSources.remove(remove.prefix());
                case FeatureChange.RemoveTool remove -> tools.remove(remove.name());
                case FeatureChange.RemoveResource remove -> resources.remove(remove.uri());
                case FeatureChange.RemoveTemplate remove -> templates.remove(remove.uriTemplate());
                case FeatureChange.RemovePrompt remove -> prompts.remove(remove.name());
            }
        }

        Changed done() {
            Set<Kind> kinds = EnumSet.noneOf(Kind.class);
            if (tools.isChanged() || toolSources.isChanged()) {
                kinds.add(Kind.TOOLS);
            }
            if (resources.isChanged() || templates.isChanged() || resourceSources.isChanged()) {
                kinds.add(Kind.RESOURCES);
            }
            if (prompts.isChanged()) {
                kinds.add(Kind.PROMPTS);
            }
            FeatureSet features =
                    new FeatureSet(
                            tools.done(),
                            resources.done(),
                            templates.done(),
                            prompts.done(),
                            methods.done(),
                            notifications.done(),
                            toolSources.done(),
                            resourceSources.done(),
                            number);
            return new Changed(features, kinds);
        }
    }
}
