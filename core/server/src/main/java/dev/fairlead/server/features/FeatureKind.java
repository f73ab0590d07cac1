package dev.fairlead.server.features;

import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.Feature;
import dev.fairlead.server.pagination.ServerSource;
import dev.fairlead.server.prompts.ServerPrompt;
import dev.fairlead.server.resources.ServerResource;
import dev.fairlead.server.resources.ServerResourceTemplate;
import dev.fairlead.server.tools.ServerTool;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A kind of features.
 *
 * @param label the kind in messages
 * @param list the list whose clients are notified of a change; null for none
 * @param none the catalog of a server without such features
 */
public record FeatureKind<T extends Feature>(
        String label, @Nullable ListKind list, Catalog<T> none) {
    public static final FeatureKind<ServerTool> TOOL =
            new FeatureKind<>("tool", ListKind.TOOLS, Catalog.empty("tool"));
    public static final FeatureKind<ServerResource> RESOURCE =
            new FeatureKind<>("resource", ListKind.RESOURCES, Catalog.empty("resource"));
    public static final FeatureKind<ServerResourceTemplate> TEMPLATE =
            new FeatureKind<>("resource template", ListKind.RESOURCES, Catalog.empty("template"));
    public static final FeatureKind<ServerPrompt> PROMPT =
            new FeatureKind<>("prompt", ListKind.PROMPTS, Catalog.empty("prompt"));
    public static final FeatureKind<ServerMethod> METHOD =
            new FeatureKind<>("method", null, Catalog.empty("method"));
    public static final FeatureKind<ServerNotification> NOTIFICATION =
            new FeatureKind<>("notification", null, Catalog.empty("notification"));
    public static final FeatureKind<ServerSource<Tool, CallToolRequest, CallToolResult>>
            TOOL_SOURCE =
                    new FeatureKind<>("tool source", ListKind.TOOLS, Catalog.empty("tool source"));
    public static final FeatureKind<ServerSource<Resource, ReadResourceRequest, ReadResourceResult>>
            RESOURCE_SOURCE =
                    new FeatureKind<>(
                            "resource source",
                            ListKind.RESOURCES,
                            Catalog.empty("resource source"));

    static final List<FeatureKind<?>> ALL =
            List.of(
                    TOOL,
                    RESOURCE,
                    TEMPLATE,
                    PROMPT,
                    METHOD,
                    NOTIFICATION,
                    TOOL_SOURCE,
                    RESOURCE_SOURCE);

    /** Returns a feature of this kind for messages: {@code the tool greet}. */
    public String subject(String name) {
        return "the " + label + " " + name;
    }
}
