package dev.fairlead.server.resources;

import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.ServerSource;

/** The resources and resource templates of a server at one moment, immutable. */
public record ResourceSet(
        Catalog<ServerResource> resources,
        Catalog<ServerResourceTemplate> templates,
        Catalog<ServerSource<Resource, ReadResourceRequest, ReadResourceResult>> sources) {
    public static final ResourceSet EMPTY =
            new ResourceSet(
                    Catalog.empty("resource"),
                    Catalog.empty("template"),
                    Catalog.empty("resource source"));

    public boolean isEmpty() {
        return resources.isEmpty() && templates.isEmpty() && sources.isEmpty();
    }

    /** Returns whether a template completes a variable. */
    public boolean hasCompletions() {
        return templates.entries().stream()
                .anyMatch(entry -> entry.feature().completions().isPresent());
    }
}
