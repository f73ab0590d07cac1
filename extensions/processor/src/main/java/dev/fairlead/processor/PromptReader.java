package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.server.annotation.McpPrompt;

import javax.lang.model.element.ExecutableElement;

/** Reads methods with {@link McpPrompt}. */
final class PromptReader {
    private final Methods methods;
    private final HandlerReader handlers;

    PromptReader(Methods methods, HandlerReader handlers) {
        this.methods = methods;
        this.handlers = handlers;
    }

    Feature read(ExecutableElement method, McpPrompt prompt) throws Problem {
        var common = new CommonWords(methods, method, McpPrompt.class);
        String name = common.name(prompt.name());
        String subject = subject(name);
        if (!Methods.is(method.getReturnType(), GetPromptResult.class)) {
            throw Problem.at(
                    method,
                    subject
                            + " must return a GetPromptResult but returns "
                            + method.getReturnType());
        }
        handlers.returned(method);
        HandlerMethod handler = handlers.read(method, "Arguments", true);
        var feature =
                new Feature(
                        subject,
                        handler,
                        CodeBlock.of(
                                "prompt(\n$>$>$S,\n$S,\n$L)$<$<",
                                name,
                                common.requiredDescription(prompt.description(), subject),
                                handlers.input(handler)));
        common.title(feature, prompt.title());
        common.icons(feature, prompt.icons());
        common.visibleTo(feature, prompt.visibleTo());
        common.requireScopes(feature, prompt.requireScopes());
        common.ownThread(feature, prompt.ownThread());
        common.meta(feature, prompt.meta());
        return feature;
    }

    static String subject(String name) {
        return "the prompt " + name;
    }
}
