package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.Tool;
import dev.fairlead.protocol.ToolAnnotations;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/**
 * A tool between its name and its {@link #handle}. Not thread-safe.
 *
 * @param <F> where the chain goes on
 * @param <I> what the handler gets: a record of the arguments, or a {@link CallToolRequest}
 * @param <O> what it gives
 */
public final class ToolDeclaration<F extends Features<F>, I, O extends @Nullable Object>
        extends Declaration<F, ToolDeclaration<F, I, O>> {
    private final Function<Handler<I, O>, ServerTool.Body> body;
    private Tool tool;
    private @Nullable Duration timeout;

    private ToolDeclaration(F features, Tool tool, Function<Handler<I, O>, ServerTool.Body> body) {
        super(features, "the tool " + tool.name());
        this.tool = tool;
        this.body = body;
    }

    static <F extends Features<F>, I, O extends @Nullable Object> ToolDeclaration<F, I, O> typed(
            F features, String name, String description, TypeRef<I> input, TypeRef<O> output) {
        JsonSchema inputSchema = JsonSchema.of(input);
        if (!inputSchema.isObject()) {
            throw new IllegalArgumentException(
                    "the input of the tool "
                            + name
                            + " must be a record or another object but was "
                            + input);
        }
        ToolOutput<O> form = ToolOutput.of(output);
        Tool tool =
                new Tool(name, inputSchema.json())
                        .withDescription(Objects.requireNonNull(description, "description"))
                        .withOutputSchema(form.schema());
        return new ToolDeclaration<>(
                features, tool, handler -> new ServerTool.Typed<>(input, form, handler));
    }

    static <F extends Features<F>> ToolDeclaration<F, CallToolRequest, CallToolResult> raw(
            F features, Tool tool) {
        JsonSchema input = JsonSchema.of(tool.inputSchema());
        if (!input.isObject()) {
            throw new IllegalArgumentException(
                    "the inputSchema of the tool " + tool.name() + " must be of type object");
        }
        input.check();
        JsonObject outputSchema = tool.outputSchema();
        JsonSchema output = outputSchema == null ? null : JsonSchema.of(outputSchema);
        if (output != null) {
            output.check();
        }
        var form = new ToolOutput.OfResult(output);
        return new ToolDeclaration<>(
                features, tool, handler -> new ServerTool.Raw(input, form, handler));
    }

    /** The name that people see. */
    public ToolDeclaration<F, I, O> title(String title) {
        tool = tool.withTitle(Objects.requireNonNull(title, "title"));
        return this;
    }

    /** Says that the tool changes nothing. */
    public ToolDeclaration<F, I, O> readOnly() {
        return annotations(hints().withReadOnlyHint(true));
    }

    /**
     * Says that the changes of the tool may destroy something, which is also assumed of a tool that
     * says nothing.
     */
    public ToolDeclaration<F, I, O> destructive() {
        return annotations(hints().withDestructiveHint(true));
    }

    /** Says that the tool only adds and never destroys. */
    public ToolDeclaration<F, I, O> additive() {
        return annotations(hints().withDestructiveHint(false));
    }

    /** Says that a repeated call with the same arguments changes nothing more. */
    public ToolDeclaration<F, I, O> idempotent() {
        return annotations(hints().withIdempotentHint(true));
    }

    /**
     * Says that the tool deals with a closed world, such as a memory, and not with an open one,
     * such as the web.
     */
    public ToolDeclaration<F, I, O> closedWorld() {
        return annotations(hints().withOpenWorldHint(false));
    }

    private ToolAnnotations hints() {
        ToolAnnotations hints = tool.annotations();
        return hints == null ? ToolAnnotations.NONE : hints;
    }

    /** All that the tool says of its effects; replaces what was said before. */
    public ToolDeclaration<F, I, O> annotations(ToolAnnotations annotations) {
        tool = tool.withAnnotations(Objects.requireNonNull(annotations, "annotations"));
        return this;
    }

    /** What is attached to the definition beside the protocol. */
    public ToolDeclaration<F, I, O> meta(JsonObject meta) {
        tool = tool.withMeta(Objects.requireNonNull(meta, "meta"));
        return this;
    }

    /**
     * How long a call may take at most; without it the default of the server holds. Then the
     * handler is interrupted and the model is told.
     */
    public ToolDeclaration<F, I, O> timeout(Duration limit) {
        timeout = Checks.positive(limit, "timeout");
        return this;
    }

    /** Gives the tool its body and ends the declaration. */
    public F handle(Handler<I, O> handler) {
        Objects.requireNonNull(handler, "handler");
        Tool definition = tool.withIcons(icons(tool.icons()));
        return add(
                new FeatureChange.AddTool(
                        new ServerTool(definition, visibility(), timeout, body.apply(handler))));
    }
}
