package dev.fairlead.server.completion;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.handler.Completer;
import dev.fairlead.server.handler.Completion;

import java.util.List;
import java.util.Map;

/** {@code completion/complete}. */
public final class CompletionMethods {
    private final Lookup prompts;
    private final Lookup templates;

    /** Finds the completions of the arguments of a feature. */
    @FunctionalInterface
    public interface Lookup {
        /**
         * Returns the completions of a feature that the caller may use.
         *
         * @param feature the name of a prompt or the text of a template
         * @throws JsonRpcException with code -32602 if the feature is unknown to the caller
         */
        Completions find(String feature, ServerCall call);
    }

    public CompletionMethods(Lookup prompts, Lookup templates) {
        this.prompts = prompts;
        this.templates = templates;
    }

    public CompleteResult complete(CompleteRequest request, ServerCall call) throws Exception {
        Completions completions =
                switch (request.ref()) {
                    case PromptReference prompt -> prompts.find(prompt.name(), call);
                    case ResourceTemplateReference template -> templates.find(template.uri(), call);
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
                        new Completion(argument.name(), argument.value(), others), call.call()));
    }
}
