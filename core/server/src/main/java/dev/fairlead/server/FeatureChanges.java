package dev.fairlead.server;

import dev.fairlead.server.features.FeatureChange;

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
        return remove(FeatureChange.removeTool(name));
    }

    /** Removes a resource; does nothing if there is none. */
    public FeatureChanges removeResource(String uri) {
        return remove(FeatureChange.removeResource(uri));
    }

    /** Removes a resource template; does nothing if there is none. */
    public FeatureChanges removeResourceTemplate(String uriTemplate) {
        return remove(FeatureChange.removeTemplate(uriTemplate));
    }

    /** Removes a prompt; does nothing if there is none. */
    public FeatureChanges removePrompt(String name) {
        return remove(FeatureChange.removePrompt(name));
    }

    /** Removes a source of tools; does nothing if there is none. */
    public FeatureChanges removeToolSource(String prefix) {
        return remove(FeatureChange.removeToolSource(prefix));
    }

    /** Removes a source of resources; does nothing if there is none. */
    public FeatureChanges removeResourceSource(String prefix) {
        return remove(FeatureChange.removeResourceSource(prefix));
    }

    private FeatureChanges remove(FeatureChange change) {
        requireNothingOpen();
        add(change);
        return this;
    }
}
