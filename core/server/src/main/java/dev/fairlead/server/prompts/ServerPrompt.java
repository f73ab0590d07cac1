package dev.fairlead.server.prompts;

import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.completion.Completions;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.pagination.Feature;

import org.jspecify.annotations.Nullable;

/**
 * A prompt as it stands in the catalog.
 *
 * @param pace decides whether the reading thread may run it; null if it may not
 */
public record ServerPrompt(
        Prompt definition,
        Access access,
        Completions completions,
        @Nullable Pace pace,
        Handler<GetPromptRequest, GetPromptResult> handler)
        implements Feature {
    @Override
    public String name() {
        return definition.name();
    }
}
