package dev.fairlead.protocol.face;

import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptArgument;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolAnnotations;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Removes the members of definitions that a revision does not have. */
final class DefinitionDowngrade {
    private final boolean hasIcons;
    private final boolean hasTitles;
    private final boolean hasToolAnnotations;

    DefinitionDowngrade(Revision revision) {
        hasIcons = revision.isAtLeast(Revision.V2025_11_25);
        hasTitles = revision.isAtLeast(Revision.V2025_06_18);
        hasToolAnnotations = revision.isAtLeast(Revision.V2025_03_26);
    }

    Tool of(Tool tool) {
        if (hasIcons) {
            return tool;
        }
        Tool known = tool.withIcons(null).withExecution(null);
        if (hasTitles) {
            return known;
        }
        return known.withTitle(null)
                .withOutputSchema(null)
                .withAnnotations(
                        hasToolAnnotations ? withTitle(tool.annotations(), tool.title()) : null);
    }

    /** Adds the title of a tool to its annotations, the only place for it in older revisions. */
    private static @Nullable ToolAnnotations withTitle(
            @Nullable ToolAnnotations annotations, @Nullable String title) {
        if (title == null || (annotations != null && annotations.title() != null)) {
            return annotations;
        }
        return (annotations == null ? ToolAnnotations.NONE : annotations).withTitle(title);
    }

    Resource of(Resource resource) {
        if (hasIcons) {
            return resource;
        }
        Resource known = resource.withIcons(null);
        return hasTitles ? known : known.withTitle(null).withAnnotations(of(known.annotations()));
    }

    ResourceTemplate of(ResourceTemplate template) {
        if (hasIcons) {
            return template;
        }
        ResourceTemplate known = template.withIcons(null);
        return hasTitles ? known : known.withTitle(null).withAnnotations(of(known.annotations()));
    }

    private static @Nullable Annotations of(@Nullable Annotations annotations) {
        return annotations == null ? null : annotations.withLastModified(null);
    }

    Prompt of(Prompt prompt) {
        if (hasIcons) {
            return prompt;
        }
        Prompt known = prompt.withIcons(null);
        if (hasTitles) {
            return known;
        }
        List<PromptArgument> arguments = known.arguments();
        return known.withTitle(null)
                .withArguments(
                        arguments == null
                                ? null
                                : arguments.stream()
                                        .map(argument -> argument.withTitle(null))
                                        .toList());
    }

    Implementation of(Implementation implementation) {
        if (hasIcons) {
            return implementation;
        }
        Implementation known =
                implementation.withIcons(null).withDescription(null).withWebsiteUrl(null);
        return hasTitles ? known : known.withTitle(null);
    }
}
