package dev.fairlead.server.features;

import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.pagination.ServerSource;
import dev.fairlead.server.prompts.ServerPrompt;
import dev.fairlead.server.resources.ServerResource;
import dev.fairlead.server.resources.ServerResourceTemplate;
import dev.fairlead.server.tools.ServerTool;

/** One step of a change of features. */
public sealed interface FeatureChange {
    /** What it is about, for messages: {@code the tool greet}. */
    String subject();

    /** Makes this step. */
    void apply(FeatureSet.Editor features);

    record AddTool(ServerTool tool) implements FeatureChange {
        @Override
        public String subject() {
            return "the tool " + tool.name();
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.tools.put(tool.name(), tool, features.nextNumber());
        }
    }

    record AddResource(ServerResource resource) implements FeatureChange {
        @Override
        public String subject() {
            return "the resource " + resource.uri();
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.resources.put(resource.uri(), resource, features.nextNumber());
        }
    }

    record AddTemplate(ServerResourceTemplate template) implements FeatureChange {
        @Override
        public String subject() {
            return "the resource template " + template.uriTemplate();
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.templates.put(template.uriTemplate(), template, features.nextNumber());
        }
    }

    record AddPrompt(ServerPrompt prompt) implements FeatureChange {
        @Override
        public String subject() {
            return "the prompt " + prompt.name();
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.prompts.put(prompt.name(), prompt, features.nextNumber());
        }
    }

    record AddMethod(ServerMethod method) implements FeatureChange {
        @Override
        public String subject() {
            return "the method " + method.name();
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.methods.put(method.name(), method, features.nextNumber());
        }
    }

    record AddNotification(ServerNotification notification) implements FeatureChange {
        @Override
        public String subject() {
            return "the notification " + notification.name();
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.notifications.put(notification.name(), notification, features.nextNumber());
        }
    }

    record AddToolSource(ServerSource<Tool, CallToolRequest, CallToolResult> source)
            implements FeatureChange {
        @Override
        public String subject() {
            return "the source of tools " + source.prefix();
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.toolSources.put(source.prefix(), source, features.nextNumber());
        }
    }

    record AddResourceSource(ServerSource<Resource, ReadResourceRequest, ReadResourceResult> source)
            implements FeatureChange {
        @Override
        public String subject() {
            return "the source of resources " + source.prefix();
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.resourceSources.put(source.prefix(), source, features.nextNumber());
        }
    }

    record RemoveToolSource(String prefix) implements FeatureChange {
        @Override
        public String subject() {
            return "no source of tools " + prefix;
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.toolSources.remove(prefix);
        }
    }

    record RemoveResourceSource(String prefix) implements FeatureChange {
        @Override
        public String subject() {
            return "no source of resources " + prefix;
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.resourceSources.remove(prefix);
        }
    }

    record RemoveTool(String name) implements FeatureChange {
        @Override
        public String subject() {
            return "no tool " + name;
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.tools.remove(name);
        }
    }

    record RemoveResource(String uri) implements FeatureChange {
        @Override
        public String subject() {
            return "no resource " + uri;
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.resources.remove(uri);
        }
    }

    record RemoveTemplate(String uriTemplate) implements FeatureChange {
        @Override
        public String subject() {
            return "no resource template " + uriTemplate;
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.templates.remove(uriTemplate);
        }
    }

    record RemovePrompt(String name) implements FeatureChange {
        @Override
        public String subject() {
            return "no prompt " + name;
        }

        @Override
        public void apply(FeatureSet.Editor features) {
            features.prompts.remove(name);
        }
    }
}
