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
        changes.forEach(change -> change.apply(editor));
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

    /** The editor of a set of features, for {@link FeatureChange}. */
    final class Editor {
        final Catalog.Editor<ServerTool> tools = FeatureSet.this.tools.tools().edit();
        final Catalog.Editor<ServerResource> resources =
                FeatureSet.this.resources.resources().edit();
        final Catalog.Editor<ServerResourceTemplate> templates =
                FeatureSet.this.resources.templates().edit();
        final Catalog.Editor<ServerPrompt> prompts = FeatureSet.this.prompts.edit();
        final Catalog.Editor<ServerMethod> methods = FeatureSet.this.methods.edit();
        final Catalog.Editor<ServerNotification> notifications =
                FeatureSet.this.notifications.edit();
        final Catalog.Editor<ServerSource<Tool, CallToolRequest, CallToolResult>> toolSources =
                FeatureSet.this.tools.sources().edit();
        final Catalog.Editor<ServerSource<Resource, ReadResourceRequest, ReadResourceResult>>
                resourceSources = FeatureSet.this.resources.sources().edit();
        private long number = lastNumber;

        long nextNumber() {
            return ++number;
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
