package dev.fairlead.server.resources;

import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.ServerSource;

import org.jspecify.annotations.Nullable;

/** The resources and resource templates of a server at one moment, immutable. */
public record ResourceSet(
        Catalog<ServerResource> resources,
        Catalog<ServerResourceTemplate> templates,
        Catalog<ServerSource<Resource, ReadResourceRequest, ReadResourceResult>> sources) {
    public boolean isEmpty() {
        return resources.isEmpty() && templates.isEmpty() && sources.isEmpty();
    }

    /**
     * Returns the pace of the handler that reads a resource; null if it gets a thread of its own,
     * as where several templates match.
     */
    public @Nullable Pace pace(String uri) {
        ServerResource resource = resources.find(uri);
        if (resource != null) {
            return resource.pace();
        }
        ServerResourceTemplate only = null;
        for (var entry : templates.entries()) {
            if (entry.feature().template().match(uri).isPresent()) {
                if (only != null) {
                    return null;
                }
                only = entry.feature();
            }
        }
        return only == null ? null : only.pace();
    }

    /** Returns whether a template completes a variable. */
    public boolean hasCompletions() {
        return templates.entries().stream()
                .anyMatch(entry -> entry.feature().completions().isPresent());
    }
}
