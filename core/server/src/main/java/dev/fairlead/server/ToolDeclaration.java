package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolAnnotations;
import dev.fairlead.protocol.tools.ToolExecution;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.handler.JobPoll;
import dev.fairlead.server.tools.ServerTool;
import dev.fairlead.server.tools.ToolInput;
import dev.fairlead.server.tools.ToolMethods;
import dev.fairlead.server.tools.ToolOutput;
import dev.fairlead.server.tools.ToolTask;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A tool between its name and its {@link #handle}. Not thread-safe.
 *
 * @param <F> the features that {@link #handle} returns to continue the chain
 * @param <I> the input of the handler: a record of the arguments, or a {@link CallToolRequest}
 * @param <O> the output of the handler
 */
public final class ToolDeclaration<F, I, O extends @Nullable Object>
        extends Declaration<F, ServerTool, ToolDeclaration<F, I, O>> {
    private static final System.Logger LOGGER = System.getLogger(ToolDeclaration.class.getName());

    private final Function<ToolInput, I> input;
    private final ToolOutput<O> output;
    private final ParameterHeaders headers;
    private Tool tool;
    private @Nullable Duration timeout;
    private boolean blocking;
    private boolean ignoresUnknown;
    private boolean acceptsText;
    private boolean holdsWhileAsking;
    private boolean taskLater;
    private boolean rerunAfterCrash;
    private @Nullable String immediateResponse;
    private @Nullable Duration pollEvery;
    private @Nullable JobPoll<O> poll;
    private @Nullable BiPredicate<I, Caller> taskWhen;

    private ToolDeclaration(
            Chain<F> chain, Tool tool, Function<ToolInput, I> input, ToolOutput<O> output) {
        super(chain, FeatureKind.TOOL, tool.name());
        this.tool = tool;
        this.headers = ParameterHeaders.of(tool);
        this.input = input;
        this.output = output;
    }

    static <F, I, O extends @Nullable Object> ToolDeclaration<F, I, O> typed(
            Chain<F> chain, String name, String description, TypeRef<I> input, TypeRef<O> output) {
        JsonSchema inputSchema =
                formOf("the input of the tool " + name, () -> JsonSchema.of(input));
        if (!inputSchema.isObject()) {
            throw new IllegalArgumentException(
                    "the input of the tool "
                            + name
                            + " must be a record or another object but was "
                            + input);
        }
        ToolOutput<O> form = formOf("the output of the tool " + name, () -> ToolOutput.of(output));
        Tool tool =
                new Tool(name, inputSchema.json())
                        .withDescription(requireDescription("the tool " + name, description))
                        .withOutputSchema(form.schema());
        return new ToolDeclaration<>(chain, tool, ToolInput.typed(name, input), form);
    }

    private static <T> T formOf(String what, Supplier<T> type) {
        try {
            return type.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
        }
    }

    static <F> ToolDeclaration<F, CallToolRequest, CallToolResult> raw(Chain<F> chain, Tool tool) {
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
        return new ToolDeclaration<>(
                chain,
                tool,
                ToolInput.raw(input),
                ToolOutput.ofResult(output, new Omissions("", "The tool " + tool.name())));
    }

    /** The name that people see. */
    public ToolDeclaration<F, I, O> title(String title) {
        tool = tool.withTitle(Objects.requireNonNull(title, "title"));
        return this;
    }

    /** Declares that the tool changes nothing. */
    public ToolDeclaration<F, I, O> readOnly() {
        return annotations(hints().withReadOnlyHint(true));
    }

    /**
     * Declares that the changes of the tool may destroy something, which clients also assume of a
     * tool without this hint.
     */
    public ToolDeclaration<F, I, O> destructive() {
        return annotations(hints().withDestructiveHint(true));
    }

    /** Declares that the tool only adds and never destroys. */
    public ToolDeclaration<F, I, O> additive() {
        return annotations(hints().withDestructiveHint(false));
    }

    /** Declares that a repeated call with the same arguments changes nothing more. */
    public ToolDeclaration<F, I, O> idempotent() {
        return annotations(hints().withIdempotentHint(true));
    }

    /**
     * Declares that the tool uses a closed set of data, such as a database, and not an open one,
     * such as the web.
     */
    public ToolDeclaration<F, I, O> closedWorld() {
        return annotations(hints().withOpenWorldHint(false));
    }

    private ToolAnnotations hints() {
        ToolAnnotations hints = tool.annotations();
        return hints == null ? ToolAnnotations.NONE : hints;
    }

    /** Sets all hints about the effects of the tool; replaces those set before. */
    public ToolDeclaration<F, I, O> annotations(ToolAnnotations annotations) {
        tool = tool.withAnnotations(Objects.requireNonNull(annotations, "annotations"));
        return this;
    }

    /** Attaches metadata to the definition, beside the protocol. */
    public ToolDeclaration<F, I, O> meta(JsonObject meta) {
        tool = tool.withMeta(Objects.requireNonNull(meta, "meta"));
        return this;
    }

    /**
     * How long a call may take at most; without it the default of the server holds. After that the
     * handler is interrupted, and the model receives an error. A task without a limit may run as
     * long as it is kept; time spent waiting for answers does not count.
     */
    public ToolDeclaration<F, I, O> timeout(Duration limit) {
        timeout = Checks.positive(limit, "timeout");
        return this;
    }

    /**
     * Runs each call of the tool, plain or as a task, on a platform thread of its own instead of a
     * virtual thread. Set it on a tool that computes for long or calls native code, such as a query
     * of an embedded database: on a virtual thread it would occupy one of the few carrier threads,
     * one for each core, that all other calls need as well. A handler that waits for sockets, locks
     * or other processes does not need it. Interruption, deadline and everything else about the
     * call stay the same.
     *
     * <p>A platform thread takes memory for its stack; how many there are at a time is bounded by
     * {@link McpServer.Builder#maxRequests} and {@link dev.fairlead.tasks.Tasks#maxRunning}. An
     * {@link dev.fairlead.protocol.Interceptor} that sends a call on to another tool does not
     * change its thread.
     */
    public ToolDeclaration<F, I, O> blocking() {
        blocking = true;
        return this;
    }

    /**
     * Ignores arguments that the tool does not know, where they are otherwise refused by their
     * name: for hosts that add arguments of their own to those of the model. The schema remains as
     * it is, so no model is led to send more. The handler never gets ignored arguments; members of
     * objects inside the arguments are checked as ever. A mistyped name of an optional argument is
     * then taken for an absent one.
     *
     * <p>Ignored in any case are {@code toolCallId}, {@code sessionId}, {@code action} and {@code
     * chatInput}, which a widely used host adds to each call, unless the tool has such an argument.
     */
    public ToolDeclaration<F, I, O> ignoreUnknownArguments() {
        ignoresUnknown = true;
        return this;
    }

    /**
     * Accepts arguments that are strings although the tool takes another type: for hosts that send
     * {@code "5"} for 5 and {@code "[\"a\"]"} for a list. Arguments that fit as they are stay as
     * they are. Otherwise numbers and booleans are read from strings, objects and arrays from
     * strings that contain their JSON, and an empty string counts as absent where the argument is
     * not required and its type has no empty string. This holds also for members of objects inside
     * the arguments. Strings, and arguments that may be any JSON, are never converted. If the
     * arguments cannot be read that way either, the errors are those of the arguments as they came.
     *
     * <p>Unless this is set, such arguments are refused, as their schema says. The schema remains
     * as it is. A caller gains nothing by it: it could have sent the same values as JSON, and
     * bounds and constraints apply to the values that were read. Without effect on a tool by its
     * definition, whose handler gets the request.
     */
    public ToolDeclaration<F, I, O> acceptTextArguments() {
        acceptsText = true;
        return this;
    }

    /**
     * Runs the handler once for a call, also where it asks its client: for handlers that must not
     * start again, such as those that hold a lock or a transaction. Since revision 2026-07-28 a
     * request that asks is answered with its questions, and unless this is set the handler starts
     * again with the answers when the client sends the request again. With it the handler waits on
     * a thread of its own in this process, and the retry hands it the answers.
     *
     * <p>Only the process that began the call can continue it. A retry that reaches another one, or
     * comes after a restart, after the end of the call, or twice, fails with {@code -32602} and
     * {@code data.reason} {@code call_gone}; the handler never starts again. A call waits for a
     * retry as long as {@link McpServer.Builder#questionTimeout} and {@link RequestState#ttl} both
     * allow, 10 minutes unless set. Then the handler is interrupted: its question throws {@link
     * InterruptedException}. Calls beyond {@link McpServer.Builder#maxHeldCalls} or {@link
     * McpServer.Builder#maxHeldCallsPerCaller} are refused before their handler begins.
     *
     * <p>Progress, log messages, headers, capabilities, deadline and cancellation are those of the
     * request that runs. Between two requests nothing is sent. {@link #timeout} holds for each
     * request by itself. Several threads of the handler ask one after the other. Interceptors run
     * around each request, on another thread than the handler: values of thread-locals that they
     * set do not reach it. A handler that throws {@link
     * dev.fairlead.server.handler.InputRequiredException} is still entered again.
     *
     * <p>Without effect in sessions of older revisions and in tasks, where a handler waits for its
     * answers anyhow.
     *
     * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
     *     round-trip requests
     */
    public ToolDeclaration<F, I, O> holdsWhileAsking() {
        holdsWhileAsking = true;
        return this;
    }

    /**
     * Declares whether the tool may or must be called as a task: never unless set. The handler is
     * the same for both. Up to revision 2025-11-25 the client decides for each call; since
     * 2026-07-28 the server does, for clients that declare the tasks extension, see {@link
     * #taskWhen}.
     */
    public ToolDeclaration<F, I, O> task(TaskSupport support) {
        tool = tool.withExecution(new ToolExecution().withTaskSupport(support));
        return this;
    }

    /**
     * Decides, since revision 2026-07-28, which calls of a tool that may be a task become one:
     * unless set, all calls of clients that declare the tasks extension. Other calls are answered
     * with their result. The condition runs on the thread of the request, before the handler, and
     * must not block. Calls with invalid arguments are refused before it, and a call that has asked
     * its client stays a plain call.
     *
     * @param condition gets the input of the handler, and the caller
     */
    public ToolDeclaration<F, I, O> taskWhen(BiPredicate<? super I, ? super Caller> condition) {
        Objects.requireNonNull(condition, "condition");
        taskWhen = condition::test;
        return this;
    }

    /**
     * Makes a call a task only when the handler calls {@link Call#startTask}, since revision
     * 2026-07-28. Questions before that are asked in rounds. If the handler ends without it, the
     * call is answered with its result. In a session the client decides, as for all tools.
     */
    public ToolDeclaration<F, I, O> taskLater() {
        taskLater = true;
        return this;
    }

    /**
     * Runs a task again from its start when the process that ran it has died, with the answers and
     * the {@link Call#once} values that it had. Unless set, such a task fails.
     */
    public ToolDeclaration<F, I, O> rerunAfterCrash() {
        rerunAfterCrash = true;
        return this;
    }

    /** A text for the model as soon as a task was created; nothing unless set. */
    public ToolDeclaration<F, I, O> immediateResponse(String text) {
        immediateResponse = Objects.requireNonNull(text, "text");
        return this;
    }

    /**
     * Polls the outside job that a task waits for, see {@link Call#park}. Without it only {@link
     * McpServer#jobs} ends such a task.
     *
     * @param every how long to wait between two polls
     */
    public ToolDeclaration<F, I, O> pollJob(Duration every, JobPoll<O> poll) {
        this.pollEvery = Checks.positive(every, "every");
        this.poll = Objects.requireNonNull(poll, "poll");
        return this;
    }

    private ToolTask task() {
        TaskSupport support = tool.taskSupport();
        if (support == TaskSupport.FORBIDDEN
                && (taskLater || rerunAfterCrash || immediateResponse != null || poll != null)) {
            throw new IllegalStateException(
                    subject() + " has options of tasks: add task(OPTIONAL) or task(REQUIRED)");
        }
        if (support != TaskSupport.OPTIONAL && taskWhen != null) {
            throw new IllegalStateException("taskWhen of " + subject() + " needs task(OPTIONAL)");
        }
        if (taskLater && holdsWhileAsking) {
            throw new IllegalStateException(
                    subject()
                            + " has taskLater, which starts its handler again, and"
                            + " holdsWhileAsking, which forbids that: remove one of them");
        }
        return new ToolTask(
                support, taskLater, rerunAfterCrash, immediateResponse, pollEvery, poll);
    }

    /**
     * Sets the handler and ends the declaration.
     *
     * @throws IllegalStateException if options of tasks are set without {@link #task}, or both
     *     {@link #taskLater} and {@link #holdsWhileAsking}
     */
    public F handle(Handler<I, O> handler) {
        Objects.requireNonNull(handler, "handler");
        Tool definition = tool.withIcons(icons(tool.icons()));
        F declared =
                add(
                        new ServerTool(
                                definition,
                                access(),
                                timeout,
                                blocking,
                                blocking || holdsWhileAsking ? null : pace(),
                                ignoresUnknown,
                                acceptsText,
                                holdsWhileAsking,
                                task(),
                                headers,
                                new ServerTool.Body<>(input, output, handler, taskWhen)));
        ToolMethods.oddity(definition.name())
                .ifPresent(text -> LOGGER.log(System.Logger.Level.WARNING, text));
        return declared;
    }
}
