package dev.fairlead.server;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptArgument;
import dev.fairlead.server.completion.Completions;
import dev.fairlead.server.completion.Variables;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.handler.Completer;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.prompts.ServerPrompt;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A prompt between its name and its {@link #handle}. Not thread-safe.
 *
 * @param <F> the features that {@link #handle} returns to continue the chain
 * @param <I> the record of the arguments, or a {@link GetPromptRequest}
 */
public final class PromptDeclaration<F, I>
        extends Declaration<F, ServerPrompt, PromptDeclaration<F, I>> {
    private final @Nullable Variables<I> variables; // null: the handler gets the request
    private final Set<String> arguments;
    private final Completions.Builder completions = new Completions.Builder();
    private Prompt prompt;

    private PromptDeclaration(Chain<F> chain, Prompt prompt, @Nullable Variables<I> variables) {
        super(chain, FeatureKind.PROMPT, prompt.name());
        this.prompt = prompt;
        this.variables = variables;
        this.arguments =
                arguments(prompt).stream()
                        .map(PromptArgument::name)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    static <F, I> PromptDeclaration<F, I> typed(
            Chain<F> chain, String name, String description, TypeRef<I> type) {
        Variables<I> variables = new Variables<>(type);
        List<PromptArgument> arguments = new ArrayList<>();
        for (String argument : variables.names()) {
            arguments.add(
                    new PromptArgument(argument)
                            .withDescription(variables.description(argument))
                            .withRequired(variables.isRequired(argument)));
        }
        Prompt prompt =
                new Prompt(name)
                        .withDescription(requireDescription("the prompt " + name, description))
                        .withArguments(arguments.isEmpty() ? null : arguments);
        return new PromptDeclaration<>(chain, prompt, variables);
    }

    static <F> PromptDeclaration<F, GetPromptRequest> raw(Chain<F> chain, Prompt prompt) {
        return new PromptDeclaration<>(chain, prompt, null);
    }

    private static List<PromptArgument> arguments(Prompt prompt) {
        List<PromptArgument> arguments = prompt.arguments();
        return arguments == null ? List.of() : arguments;
    }

    /** The name that people see. */
    public PromptDeclaration<F, I> title(String title) {
        prompt = prompt.withTitle(Objects.requireNonNull(title, "title"));
        return this;
    }

    /** Attaches metadata to the definition, beside the protocol. */
    public PromptDeclaration<F, I> meta(JsonObject meta) {
        prompt = prompt.withMeta(Objects.requireNonNull(meta, "meta"));
        return this;
    }

    /**
     * Proposes values for an argument.
     *
     * @throws IllegalArgumentException if the prompt has no such argument
     */
    public PromptDeclaration<F, I> complete(String argument, Completer completer) {
        completions.add(argument, completer, arguments, subject());
        return this;
    }

    /** Gives the prompt its body, which makes the messages, and ends the declaration. */
    public F handle(Handler<I, GetPromptResult> handler) {
        Objects.requireNonNull(handler, "handler");
        if (variables != null) {
            completions.addConstants(variables);
        }
        Prompt definition = prompt.withIcons(icons(prompt.icons()));
        Variables<I> record = variables;
        Handler<GetPromptRequest, GetPromptResult> body =
                (request, call) -> {
                    I input = record == null ? bare(definition, request) : bind(record, request);
                    return described(definition, handler.handle(input, call));
                };
        return add(
                new ServerPrompt(definition, access(), completions.build(arguments), pace(), body));
    }

    private static GetPromptResult described(Prompt definition, GetPromptResult result) {
        Objects.requireNonNull(result, "the handler returned null: return a GetPromptResult");
        return result.description() == null
                ? result.withDescription(definition.description())
                : result;
    }

    /** Binds the arguments; refuses those that are missing or cannot be converted. */
    private static <I> I bind(Variables<I> record, GetPromptRequest request) {
        try {
            return record.read(request.arguments());
        } catch (JsonBindingException e) {
            throw JsonRpcException.invalidParams("Invalid arguments: " + e.getMessage());
        }
    }

    /** Without a record, {@code I} is the request: see {@link #raw}. */
    @SuppressWarnings("unchecked")
    private static <I> I bare(Prompt definition, GetPromptRequest request) {
        for (PromptArgument argument : arguments(definition)) {
            if (argument.isRequired() && !request.arguments().containsKey(argument.name())) {
                throw JsonRpcException.invalidParams(
                        "Invalid arguments: " + argument.name() + " is missing");
            }
        }
        return (I) request;
    }
}
