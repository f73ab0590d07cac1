package dev.fairlead.server.prompts;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.completion.Completions;
import dev.fairlead.server.handler.Handler;

/** A prompt as it stands in the catalog. */
public record ServerPrompt(
        Prompt definition,
        Access access,
        Completions completions,
        Handler<GetPromptRequest, GetPromptResult> handler) {
    public String name() {
        return definition.name();
    }

    boolean isVisibleTo(Caller caller) {
        return access.isVisibleTo(caller);
    }
}
