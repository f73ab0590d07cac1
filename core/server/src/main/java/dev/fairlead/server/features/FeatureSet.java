package dev.fairlead.server.features;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.Feature;
import dev.fairlead.server.prompts.ServerPrompt;
import dev.fairlead.server.resources.ResourceSet;
import dev.fairlead.server.tools.ToolSet;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All features of a server at one moment, immutable. */
public final class FeatureSet {
    public static final FeatureSet EMPTY = new FeatureSet(Map.of(), 0);

    /** By the identity of the kinds; those that never had a feature are missing. */
    private final Map<FeatureKind<?>, Catalog<?>> catalogs;

    private final long lastNumber;
    private final ToolSet tools;
    private final ResourceSet resources;
    private final Catalog<ServerPrompt> prompts;
    private final Catalog<ServerMethod> methods;

    /** A set after changes, and the lists that are different now. */
    public record Changed(FeatureSet features, Set<ListKind> kinds) {}

    private FeatureSet(Map<FeatureKind<?>, Catalog<?>> catalogs, long lastNumber) {
        this.catalogs = catalogs;
        this.lastNumber = lastNumber;
        this.tools = new ToolSet(of(FeatureKind.TOOL), of(FeatureKind.TOOL_SOURCE));
        this.resources =
                new ResourceSet(
                        of(FeatureKind.RESOURCE),
                        of(FeatureKind.TEMPLATE),
                        of(FeatureKind.RESOURCE_SOURCE));
        this.prompts = of(FeatureKind.PROMPT);
        this.methods = of(FeatureKind.METHOD);
    }

    @SuppressWarnings("unchecked") // each kind has the catalog of its features
    private <T extends Feature> Catalog<T> of(FeatureKind<T> kind) {
        return (Catalog<T>) catalogs.getOrDefault(kind, kind.none());
    }

    /** Returns how many features there are of a kind. */
    public int size(FeatureKind<?> kind) {
        return of(kind).entries().size();
    }

    public ToolSet tools() {
        return tools;
    }

    public ResourceSet resources() {
        return resources;
    }

    public Catalog<ServerPrompt> prompts() {
        return prompts;
    }

    public Catalog<ServerMethod> methods() {
        return methods;
    }

    public Catalog<ServerNotification> notifications() {
        return of(FeatureKind.NOTIFICATION);
    }

    /** Applies changes in order, all or, when one is refused, none. */
    public Changed apply(List<FeatureChange<?>> changes) {
        Map<FeatureKind<?>, Catalog.Editor<?>> editors = new IdentityHashMap<>();
        long number = lastNumber;
        for (FeatureChange<?> change : changes) {
            apply(change, ++number, editors);
        }
        Map<FeatureKind<?>, Catalog<?>> after = new IdentityHashMap<>(catalogs);
        Set<ListKind> kinds = EnumSet.noneOf(ListKind.class);
        editors.forEach(
                (kind, editor) -> {
                    after.put(kind, editor.done());
                    if (kind.list() != null && editor.isChanged()) {
                        kinds.add(kind.list());
                    }
                });
        return new Changed(new FeatureSet(after, number), kinds);
    }

    @SuppressWarnings("unchecked") // each kind has the editor of its features
    private <T extends Feature> void apply(
            FeatureChange<T> change, long number, Map<FeatureKind<?>, Catalog.Editor<?>> editors) {
        Catalog.Editor<T> editor =
                (Catalog.Editor<T>) editors.computeIfAbsent(change.kind(), kind -> of(kind).edit());
        if (change.feature() == null) {
            editor.remove(change.name());
        } else {
            editor.put(change.feature(), number);
        }
    }

    /** Returns the features with which clients work, as operators see them. */
    public List<ServerOperator.FeatureStatus> statuses(Caller caller) {
        List<ServerOperator.FeatureStatus> statuses = new ArrayList<>();
        for (FeatureKind<?> kind : FeatureKind.ALL) {
            of(kind).entries()
                    .forEach(entry -> statuses.add(status(kind, entry.feature(), caller)));
        }
        return statuses;
    }

    private static ServerOperator.FeatureStatus status(
            FeatureKind<?> kind, Feature feature, Caller caller) {
        Access access = feature.access();
        Pace pace = feature.pace();
        boolean visible = access.isVisibleTo(caller);
        return new ServerOperator.FeatureStatus(
                kind.label(),
                feature.name(),
                access.requiredScopes(),
                access.isFiltered(),
                visible,
                visible && access.admits(caller),
                pace != null && pace.isQuick());
    }

    /** Returns the features that are quick at the moment, such as {@code the tool greet}. */
    public List<String> quick() {
        return FeatureKind.ALL.stream()
                .flatMap(kind -> of(kind).entries().stream())
                .map(entry -> entry.feature().pace())
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
        for (FeatureKind<?> kind : FeatureKind.ALL) {
            for (Catalog.Entry<?> entry : of(kind).entries()) {
                if (kind.list() != null && entry.feature().access().isFiltered()) {
                    throw new IllegalArgumentException(
                            "lists cannot be cached as public: visibleTo hides "
                                    + kind.subject(entry.feature().name())
                                    + " from some callers");
                }
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
}
