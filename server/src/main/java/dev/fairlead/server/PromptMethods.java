package dev.fairlead.server;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.server.handler.Completer;
import dev.fairlead.server.handler.Completion;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code prompts/…} and {@code completion/complete}. */
final class PromptMethods {
    private final Paging paging;

    PromptMethods(Paging paging) {
        this.paging = paging;
    }

    ListPromptsResult list(PaginatedRequest request, ServerCall call) throws Exception {
        Catalog<ServerPrompt> prompts = call.features().prompts();
        PageUnderWay<Prompt> page = paging.begin("prompts", request.cursor(), prompts);
        Paging.fill(
                page,
                Paging.each(
                        page,
                        prompts,
                        prompt -> prompt.isVisibleTo(call.caller()) ? prompt.definition() : null));
        return new ListPromptsResult(page.items()).withNextCursor(page.nextCursor());
    }

    GetPromptResult get(GetPromptRequest request, ServerCall call) throws Exception {
        return prompt(request.name(), call).handler().handle(request, call);
    }

    private static ServerPrompt prompt(String name, ServerCall call) {
        ServerPrompt prompt = call.features().prompts().find(name);
        if (prompt == null || !prompt.isVisibleTo(call.caller())) {
            throw JsonRpcException.invalidParams("Unknown prompt: " + name);
        }
        prompt.access().admit(call.caller());
        return prompt;
    }

    // ---- completion

    CompleteResult complete(CompleteRequest request, ServerCall call) throws Exception {
        Completions completions =
                switch (request.ref()) {
                    case PromptReference prompt -> prompt(prompt.name(), call).completions();
                    case ResourceTemplateReference template -> ofTemplate(template.uri(), call);
                };
        CompleteRequest.Argument argument = request.argument();
        if (!completions.arguments().contains(argument.name())) {
            throw JsonRpcException.invalidParams("Unknown argument: " + argument.name());
        }
        Completer completer = completions.of(argument.name());
        if (completer == null) {
            return CompleteResult.of(List.of());
        }
        Map<String, String> others = request.filledIn();
        return CompleteResult.of(
                completer.complete(
                        new Completion(argument.name(), argument.value(), others), call));
    }

    /** A template by its text, or a plain resource, which has no arguments. */
    private static Completions ofTemplate(String uri, ServerCall call) {
        FeatureSet features = call.features();
        ServerResourceTemplate template = features.templates().find(uri);
        if (template != null && template.isVisibleTo(call.caller())) {
            template.access().admit(call.caller());
            return template.completions();
        }
        ServerResource resource = features.resources().find(uri);
        if (resource != null && resource.isVisibleTo(call.caller())) {
            resource.access().admit(call.caller());
            return new Completions(Set.of(), Map.of());
        }
        throw JsonRpcException.invalidParams("Unknown resource template: " + uri);
    }
}
