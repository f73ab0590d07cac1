package dev.fairlead.server.tools;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.call.AskingBody;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.pagination.Feature;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A tool as it stands in the catalog.
 *
 * @param timeout how long a call may take; null for the server's default
 * @param blocking whether it runs on platform threads
 * @param pace decides whether the reading thread may run it; null if it may not
 * @param ignoresUnknown whether arguments that it does not know are ignored
 * @param holdsWhileAsking whether its body waits between the rounds of a request
 * @param task how it runs as a task
 * @param headers the HTTP headers that repeat its arguments
 */
public record ServerTool(
        Tool definition,
        Access access,
        @Nullable Duration timeout,
        boolean blocking,
        @Nullable Pace pace,
        boolean ignoresUnknown,
        boolean holdsWhileAsking,
        ToolTask task,
        ParameterHeaders headers,
        Body body)
        implements Feature {
    @Override
    public String name() {
        return definition.name();
    }

    /** Validates, binds, runs and turns the output into a reply. */
    public sealed interface Body {
        /**
         * Reads the input of the handler.
         *
         * @param arguments an object
         * @param request the whole request; made only where it is needed
         * @param ignoreUnknown whether arguments that the tool does not know are ignored
         * @return runs the tool, to a {@link ToolReply}; keeps no more than that input
         */
        AskingBody.Body<Object> bind(
                RawJson arguments, Supplier<CallToolRequest> request, boolean ignoreUnknown);

        /**
         * Returns whether a call becomes a task, where the tool may decide that.
         *
         * @param arguments an object; a call with invalid ones is answered at once
         */
        boolean becomesTask(
                RawJson arguments,
                Supplier<CallToolRequest> request,
                boolean ignoreUnknown,
                Caller caller);

        /**
         * Returns the reply for an output that does not come from the handler.
         *
         * @throws ClassCastException if it is not an output of this tool
         */
        ToolReply reply(@Nullable Object output) throws ToolOutput.BrokenOutputException;
    }

    /**
     * Arguments and output are classes of the author.
     *
     * @param ofHosts arguments that are ignored in each call
     * @param taskWhen decides whether a call becomes a task; null: each does that may
     */
    public record Typed<I, O extends @Nullable Object>(
            JsonCodec<I> input,
            List<String> ofHosts,
            ToolOutput<O> output,
            Handler<I, O> handler,
            @Nullable BiPredicate<I, Caller> taskWhen)
            implements Body {
        public Typed(
                TypeRef<I> input,
                ToolOutput<O> output,
                Handler<I, O> handler,
                @Nullable BiPredicate<I, Caller> taskWhen) {
            this(
                    JsonCodec.of(input).strict(),
                    UnknownArguments.ofHosts(JsonSchema.of(input).json()),
                    output,
                    handler,
                    taskWhen);
        }

        private I read(RawJson arguments, boolean ignoreUnknown) {
            return input.readKnown(arguments, ignoreUnknown ? null : ofHosts);
        }

        @Override
        public boolean becomesTask(
                RawJson arguments,
                Supplier<CallToolRequest> request,
                boolean ignoreUnknown,
                Caller caller) {
            if (taskWhen == null) {
                return true;
            }
            I bound;
            try {
                bound = read(arguments, ignoreUnknown);
            } catch (JsonBindingException e) {
                return false;
            }
            return taskWhen.test(bound, caller);
        }

        @Override
        public AskingBody.Body<Object> bind(
                RawJson arguments, Supplier<CallToolRequest> request, boolean ignoreUnknown) {
            try {
                return new Bound<>(handler, output, read(arguments, ignoreUnknown));
            } catch (JsonBindingException e) {
                return invalid(e.violations());
            }
        }

        @Override
        @SuppressWarnings({"unchecked", "NullAway"}) // null is an output where O has null
        public ToolReply reply(@Nullable Object given) throws ToolOutput.BrokenOutputException {
            return output.reply((O) given);
        }
    }

    /**
     * Arguments and result are the specification's records.
     *
     * @param taskWhen decides whether a call becomes a task; null: each does that may
     */
    public record Raw(
            JsonSchema input,
            ToolOutput<CallToolResult> output,
            Handler<CallToolRequest, CallToolResult> handler,
            @Nullable BiPredicate<CallToolRequest, Caller> taskWhen)
            implements Body {
        @Override
        public boolean becomesTask(
                RawJson arguments,
                Supplier<CallToolRequest> request,
                boolean ignoreUnknown,
                Caller caller) {
            if (taskWhen == null) {
                return true;
            }
            CallToolRequest whole = known(request.get(), ignoreUnknown);
            return input.validate(whole.arguments()).isEmpty() && taskWhen.test(whole, caller);
        }

        @Override
        public AskingBody.Body<Object> bind(
                RawJson arguments, Supplier<CallToolRequest> request, boolean ignoreUnknown) {
            CallToolRequest whole = known(request.get(), ignoreUnknown);
            List<JsonViolation> violations = input.validate(whole.arguments());
            return violations.isEmpty() ? new Bound<>(handler, output, whole) : invalid(violations);
        }

        private CallToolRequest known(CallToolRequest request, boolean ignoreUnknown) {
            JsonObject schema = input.json();
            JsonObject left =
                    UnknownArguments.leftOut(
                            request.arguments(),
                            schema,
                            ignoreUnknown ? null : UnknownArguments.ofHosts(schema));
            return left == request.arguments() ? request : request.withArguments(left);
        }

        @Override
        public ToolReply reply(@Nullable Object given) throws ToolOutput.BrokenOutputException {
            return output.reply(
                    (CallToolResult) Objects.requireNonNull(given, "the output is null"));
        }
    }

    /** A call with the input of its handler. Not a lambda: its frame is kept while it waits. */
    private record Bound<I, O extends @Nullable Object>(
            Handler<I, O> handler, ToolOutput<O> output, I given)
            implements AskingBody.Body<Object> {
        @Override
        public Object run(HandlerCall call) throws Exception {
            O result = handler.handle(given, call);
            return call.scope().isParked() ? ToolReply.PARKED : output.reply(result);
        }
    }

    /**
     * Returns a body that reports the errors of each field, so that the model can correct itself.
     */
    private static AskingBody.Body<Object> invalid(List<JsonViolation> violations) {
        String text =
                violations.stream()
                        .map(JsonViolation::toString)
                        .collect(Collectors.joining("; ", "Invalid arguments: ", ""));
        return call -> ToolReply.of(CallToolResult.failure(text));
    }
}
