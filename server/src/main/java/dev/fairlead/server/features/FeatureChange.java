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

    record AddTool(ServerTool tool) implements FeatureChange {
        @Override
        public String subject() {
            return "the tool " + tool.name();
        }
    }

    record AddResource(ServerResource resource) implements FeatureChange {
        @Override
        public String subject() {
            return "the resource " + resource.uri();
        }
    }

    record AddTemplate(ServerResourceTemplate template) implements FeatureChange {
        @Override
        public String subject() {
            return "the resource template " + template.uriTemplate();
        }
    }

    record AddPrompt(ServerPrompt prompt) implements FeatureChange {
        @Override
        public String subject() {
            return "the prompt " + prompt.name();
        }
    }

    record AddMethod(ServerMethod method) implements FeatureChange {
        @Override
        public String subject() {
            return "the method " + method.name();
        }
    }

    record AddNotification(ServerNotification notification) implements FeatureChange {
        @Override
        public String subject() {
            return "the notification " + notification.name();
        }
    }

    record AddToolSource(ServerSource<Tool, CallToolRequest, CallToolResult> source)
            implements FeatureChange {
        @Override
        public String subject() {
            return "the source of tools " + source.prefix();
        }
    }

    record AddResourceSource(ServerSource<Resource, ReadResourceRequest, ReadResourceResult> source)
            implements FeatureChange {
        @Override
        public String subject() {
            return "the source of resources " + source.prefix();
        }
    }

    record RemoveToolSource(String prefix) implements FeatureChange {
        @Override
        public String subject() {
            return "no source of tools " + prefix;
        }
    }

    record RemoveResourceSource(String prefix) implements FeatureChange {
        @Override
        public String subject() {
            return "no source of resources " + prefix;
        }
    }

    record RemoveTool(String name) implements FeatureChange {
        @Override
        public String subject() {
            return "no tool " + name;
        }
    }

    record RemoveResource(String uri) implements FeatureChange {
        @Override
        public String subject() {
            return "no resource " + uri;
        }
    }

    record RemoveTemplate(String uriTemplate) implements FeatureChange {
        @Override
        public String subject() {
            return "no resource template " + uriTemplate;
        }
    }

    record RemovePrompt(String name) implements FeatureChange {
        @Override
        public String subject() {
            return "no prompt " + name;
        }
    }
}
