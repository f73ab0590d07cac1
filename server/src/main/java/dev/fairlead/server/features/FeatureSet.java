package dev.fairlead.server.features;

import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.ServerSource;
import dev.fairlead.server.prompts.ServerPrompt;
import dev.fairlead.server.resources.ResourceSet;
import dev.fairlead.server.resources.ServerResource;
import dev.fairlead.server.resources.ServerResourceTemplate;
import dev.fairlead.server.tools.ServerTool;
import dev.fairlead.server.tools.ToolSet;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** All features of a server at one moment, immutable. */
public record FeatureSet(
        ToolSet tools,
        ResourceSet resources,
        Catalog<ServerPrompt> prompts,
        Catalog<ServerMethod> methods,
        Catalog<ServerNotification> notifications,
        long lastNumber) {

    public static final FeatureSet EMPTY =
            new FeatureSet(
                    ToolSet.EMPTY,
                    ResourceSet.EMPTY,
                    Catalog.empty("prompt"),
                    Catalog.empty("method"),
                    Catalog.empty("notification"),
                    0);

    /** A set after changes, and the lists that are different now. */
    public record Changed(FeatureSet features, Set<ListKind> kinds) {}

    /** Applies changes in order, all or, when one is refused, none. */
    public Changed apply(List<FeatureChange> changes) {
        var editor = new Editor();
        changes.forEach(editor::apply);
        return editor.done();
    }

    /** Returns the features that are quick at the moment, such as {@code the tool greet}. */
    public List<String> quick() {
        return Stream.of(
                        tools.tools().entries().stream().map(entry -> entry.feature().pace()),
                        resources.resources().entries().stream()
                                .map(entry -> entry.feature().pace()),
                        resources.templates().entries().stream()
                                .map(entry -> entry.feature().pace()),
                        prompts.entries().stream().map(entry -> entry.feature().pace()),
                        methods.entries().stream().map(entry -> entry.feature().pace()))
                .flatMap(paces -> paces)
                .filter(pace -> pace != null && pace.isQuick())
                .map(Pace::subject)
                .toList();
    }

    /**
     * Checks that every list is the same for all callers.
     *
     * @throws IllegalArgumentException if a feature is hidden from some; the message names it
     */
    public void requireSameListsForAll() {
        requireUnfiltered("tool", tools.tools(), ServerTool::name, ServerTool::access);
        requireUnfiltered("prompt", prompts, ServerPrompt::name, ServerPrompt::access);
        requireUnfiltered(
                "resource", resources.resources(), ServerResource::uri, ServerResource::access);
        requireUnfiltered(
                "resource template",
                resources.templates(),
                ServerResourceTemplate::uriTemplate,
                ServerResourceTemplate::access);
        requireUnfiltered(
                "tool source", tools.sources(), ServerSource::prefix, ServerSource::access);
        requireUnfiltered(
                "resource source", resources.sources(), ServerSource::prefix, ServerSource::access);
    }

    private static <T> void requireUnfiltered(
            String kind, Catalog<T> catalog, Function<T, String> name, Function<T, Access> access) {
        for (Catalog.Entry<T> entry : catalog.entries()) {
            if (access.apply(entry.feature()).isFiltered()) {
                throw new IllegalArgumentException(
                        "lists cannot be cached as public: visibleTo hides the "
                                + kind
                                + " "
                                + name.apply(entry.feature())
                                + " from some callers");
            }
        }
    }

    public boolean hasFeatures() {
        return !tools.isEmpty() || !resources.isEmpty() || !prompts.isEmpty();
    }

    public boolean hasCompletions() {
        return resources.hasCompletions()
                || prompts.entries().stream()
                        .anyMatch(entry -> entry.feature().completions().isPresent());
    }

    private final class Editor {
        private final Catalog.Editor<ServerTool> tools = FeatureSet.this.tools.tools().edit();
        private final Catalog.Editor<ServerResource> resources =
                FeatureSet.this.resources.resources().edit();
        private final Catalog.Editor<ServerResourceTemplate> templates =
                FeatureSet.this.resources.templates().edit();
        private final Catalog.Editor<ServerPrompt> prompts = FeatureSet.this.prompts.edit();
        private final Catalog.Editor<ServerMethod> methods = FeatureSet.this.methods.edit();
        private final Catalog.Editor<ServerNotification> notifications =
                FeatureSet.this.notifications.edit();
        private final Catalog.Editor<ServerSource<Tool, CallToolRequest, CallToolResult>>
                toolSources = FeatureSet.this.tools.sources().edit();
        private final Catalog.Editor<
                        ServerSource<Resource, ReadResourceRequest, ReadResourceResult>>
                resourceSources = FeatureSet.this.resources.sources().edit();
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
            Set<ListKind> kinds = EnumSet.noneOf(ListKind.class);
            if (tools.isChanged() || toolSources.isChanged()) {
                kinds.add(ListKind.TOOLS);
            }
            if (resources.isChanged() || templates.isChanged() || resourceSources.isChanged()) {
                kinds.add(ListKind.RESOURCES);
            }
            if (prompts.isChanged()) {
                kinds.add(ListKind.PROMPTS);
            }
            FeatureSet features =
                    new FeatureSet(
                            new ToolSet(tools.done(), toolSources.done()),
                            new ResourceSet(
                                    resources.done(), templates.done(), resourceSources.done()),
                            prompts.done(),
                            methods.done(),
                            notifications.done(),
                            number);
            return new Changed(features, kinds);
        }
    }
}
