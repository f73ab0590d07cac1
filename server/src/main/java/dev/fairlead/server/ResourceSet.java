package dev.fairlead.server;

import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;

/** The resources and resource templates of a server at one moment, immutable. */
record ResourceSet(
        Catalog<ServerResource> resources,
        Catalog<ServerResourceTemplate> templates,
        Catalog<ServerSource<Resource, ReadResourceRequest, ReadResourceResult>> sources) {
    static final ResourceSet EMPTY =
            new ResourceSet(
                    Catalog.empty("resource"),
                    Catalog.empty("template"),
                    Catalog.empty("resource source"));

    boolean isEmpty() {
        return resources.isEmpty() && templates.isEmpty() && sources.isEmpty();
    }

    /** Returns whether a template completes a variable. */
    boolean hasCompletions() {
        return templates.entries().stream()
                .anyMatch(entry -> entry.feature().completions().isPresent());
    }
}
