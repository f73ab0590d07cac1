package dev.fairlead.server.tools;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.headers.ParameterHeaders;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.call.AskingBody;
import dev.fairlead.server.call.HandlerCall;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.pagination.Feature;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A tool as it stands in the catalog.
 *
 * @param timeout how long a call may take; null for the server's default
 * @param blocking whether it runs on platform threads
 * @param pace decides whether the reading thread may run it; null if it may not
 * @param ignoresUnknown whether arguments that it does not know are ignored
 * @param acceptsText whether arguments may be strings that contain their JSON
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
        boolean acceptsText,
        boolean holdsWhileAsking,
        ToolTask task,
        ParameterHeaders headers,
        Body<?, ?> body)
        implements Feature {
    @Override
    public String name() {
        return definition.name();
    }

    /** Returns the input of a call in a server. */
    ToolInput input(RawJson arguments, Supplier<CallToolRequest> request, ServerSettings settings) {
        return new ToolInput(
                arguments,
                request,
                ignoresUnknown || settings.ignoresUnknownArguments,
                acceptsText || settings.acceptsTextArguments);
    }

    /**
     * Validates, binds, runs and turns the output into a reply.
     *
     * @param input reads the input of the handler; throws {@link JsonBindingException}
     * @param taskWhen decides whether a call becomes a task; null: each does that may
     */
    public record Body<I, O extends @Nullable Object>(
            Function<ToolInput, I> input,
            ToolOutput<O> output,
            Handler<I, O> handler,
            @Nullable BiPredicate<I, Caller> taskWhen) {
        /**
         * Reads the input of the handler.
         *
         * @return runs the tool, to a {@link ToolReply}; keeps no more than that input
         */
        AskingBody.Body<Object> bind(ToolInput given) {
            try {
                return new Bound<>(handler, output, input.apply(given));
            } catch (JsonBindingException e) {
                return invalid(e.violations());
            }
        }

        /**
         * Returns whether a call becomes a task, where the tool may decide that. One with invalid
         * arguments is answered at once.
         */
        boolean becomesTask(ToolInput given, Caller caller) {
            if (taskWhen == null) {
                return true;
            }
            I bound;
            try {
                bound = input.apply(given);
            } catch (JsonBindingException e) {
                return false;
            }
            return taskWhen.test(bound, caller);
        }

        /**
         * Returns the reply for an output that does not come from the handler.
         *
         * @throws ClassCastException if it is not an output of this tool
         */
        @SuppressWarnings({"unchecked", "NullAway"}) // null is an output where O has null
        public ToolReply reply(@Nullable Object given) throws ToolOutput.BrokenOutputException {
            return output.reply((O) given);
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
