package dev.fairlead.server;

import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.FeatureKind;

/**
 * A change of a running server, applied as a whole when its lambda has returned. A feature that is
 * declared under a name that is taken replaces the one there and keeps its place in the list. Not
 * thread-safe.
 *
 * @see McpServer#update
 */
public final class FeatureChanges extends Features<FeatureChanges> {
    FeatureChanges() {}

    @Override
    FeatureChanges self() {
        return this;
    }

    /** Removes a tool; does nothing if there is none. Calls under way continue. */
    public FeatureChanges removeTool(String name) {
        return remove(FeatureKind.TOOL, name);
    }

    /** Removes a resource; does nothing if there is none. */
    public FeatureChanges removeResource(String uri) {
        return remove(FeatureKind.RESOURCE, uri);
    }

    /** Removes a resource template; does nothing if there is none. */
    public FeatureChanges removeResourceTemplate(String uriTemplate) {
        return remove(FeatureKind.TEMPLATE, uriTemplate);
    }

    /** Removes a prompt; does nothing if there is none. */
    public FeatureChanges removePrompt(String name) {
        return remove(FeatureKind.PROMPT, name);
    }

    /** Removes a source of tools; does nothing if there is none. */
    public FeatureChanges removeToolSource(String prefix) {
        return remove(FeatureKind.TOOL_SOURCE, prefix);
    }

    /** Removes a source of resources; does nothing if there is none. */
    public FeatureChanges removeResourceSource(String prefix) {
        return remove(FeatureKind.RESOURCE_SOURCE, prefix);
    }

    private FeatureChanges remove(FeatureKind<?> kind, String name) {
        return chain.add(FeatureChange.remove(kind, name));
    }
}
