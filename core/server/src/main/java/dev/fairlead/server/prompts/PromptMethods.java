package dev.fairlead.server.prompts;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.completion.Completions;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.PageUnderWay;
import dev.fairlead.server.pagination.Paging;

/** {@code prompts/…}. */
public final class PromptMethods {
    private final Catalog<ServerPrompt> prompts;
    private final Paging paging;

    public PromptMethods(Catalog<ServerPrompt> prompts, Paging paging) {
        this.prompts = prompts;
        this.paging = paging;
    }

    public ListPromptsResult list(PaginatedRequest request, ServerCall call) throws Exception {
        PageUnderWay<Prompt> page =
                paging.begin("prompts", request.cursor(), call.caller(), prompts);
        Paging.fill(page, Paging.each(page, prompts, call.caller(), ServerPrompt::definition));
        return new ListPromptsResult(page.items(), page.nextCursor());
    }

    public GetPromptResult get(GetPromptRequest request, ServerCall call) throws Exception {
        return prompt(request.name(), call).handler().handle(request, call.call());
    }

    private ServerPrompt prompt(String name, ServerCall call) {
        ServerPrompt prompt = prompts.find(name, call.caller());
        if (prompt == null) {
            throw JsonRpcException.invalidParams("Unknown prompt: " + name);
        }
        prompt.access().admit(call.caller());
        return prompt;
    }

    /** Returns the completions of a prompt. */
    public Completions completions(String name, ServerCall call) {
        return prompt(name, call).completions();
    }
}
