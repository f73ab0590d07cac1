package dev.fairlead.server.features;

import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.ServerSource;
import dev.fairlead.server.prompts.ServerPrompt;
import dev.fairlead.server.resources.ServerResource;
import dev.fairlead.server.resources.ServerResourceTemplate;
import dev.fairlead.server.tools.ServerTool;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One step of a change of features: adds one, in the place of another one with its name, or removes
 * one, which does nothing if there is none.
 */
public final class FeatureChange {
    private final String subject;
    private final Consumer<FeatureSet.Editor> step;

    private FeatureChange(String subject, Consumer<FeatureSet.Editor> step) {
        this.subject = subject;
        this.step = step;
    }

    /** Returns the changed item, for messages: {@code the tool greet}. */
    public String subject() {
        return subject;
    }

    /** Makes this step. */
    void apply(FeatureSet.Editor features) {
        step.accept(features);
    }

    private static <T> FeatureChange add(
            String kind,
            String name,
            T feature,
            Function<FeatureSet.Editor, Catalog.Editor<T>> of) {
        return new FeatureChange(
                "the " + kind + " " + name,
                features -> of.apply(features).put(name, feature, features.nextNumber()));
    }

    private static FeatureChange remove(
            String kind, String name, Function<FeatureSet.Editor, Catalog.Editor<?>> of) {
        return new FeatureChange(
                "no " + kind + " " + name, features -> of.apply(features).remove(name));
    }

    public static FeatureChange add(ServerTool tool) {
        return add("tool", tool.name(), tool, features -> features.tools);
    }

    public static FeatureChange add(ServerResource resource) {
        return add("resource", resource.uri(), resource, features -> features.resources);
    }

    public static FeatureChange add(ServerResourceTemplate template) {
        return add(
                "resource template",
                template.uriTemplate(),
                template,
                features -> features.templates);
    }

    public static FeatureChange add(ServerPrompt prompt) {
        return add("prompt", prompt.name(), prompt, features -> features.prompts);
    }

    public static FeatureChange add(ServerMethod method) {
        return add("method", method.name(), method, features -> features.methods);
    }

    public static FeatureChange add(ServerNotification notification) {
        return add(
                "notification",
                notification.name(),
                notification,
                features -> features.notifications);
    }

    public static FeatureChange addToolSource(
            ServerSource<Tool, CallToolRequest, CallToolResult> source) {
        return add("source of tools", source.prefix(), source, features -> features.toolSources);
    }

    public static FeatureChange addResourceSource(
            ServerSource<Resource, ReadResourceRequest, ReadResourceResult> source) {
        return add(
                "source of resources",
                source.prefix(),
                source,
                features -> features.resourceSources);
    }

    public static FeatureChange removeTool(String name) {
        return remove("tool", name, features -> features.tools);
    }

    public static FeatureChange removeResource(String uri) {
        return remove("resource", uri, features -> features.resources);
    }

    public static FeatureChange removeTemplate(String uriTemplate) {
        return remove("resource template", uriTemplate, features -> features.templates);
    }

    public static FeatureChange removePrompt(String name) {
        return remove("prompt", name, features -> features.prompts);
    }

    public static FeatureChange removeToolSource(String prefix) {
        return remove("source of tools", prefix, features -> features.toolSources);
    }

    public static FeatureChange removeResourceSource(String prefix) {
        return remove("source of resources", prefix, features -> features.resourceSources);
    }
}
