package dev.fairlead.server.tasks;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.server.call.RequestContext;
import dev.fairlead.server.handler.Retry;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The data of a call that became a task, the same in every run, also in another process: nothing
 * else of its request is kept, and never tokens or headers.
 *
 * @param arguments an object
 * @param meta the metadata of the request; null for none
 * @param caller null for an anonymous one
 * @param capabilities of the client
 * @param client null where it is not known
 * @param base of the idempotency keys of the rounds before; null where there were none
 * @param retry the retry with which the handler began when it started the task; null for none
 */
public record TaskOrigin(
        RawJson arguments,
        @Nullable JsonObject meta,
        @Nullable Principal caller,
        ClientCapabilities capabilities,
        @Nullable Implementation client,
        String revision,
        @Nullable String base,
        @Nullable Retry retry) {
    private static final JsonCodec<TaskOrigin> CODEC = JsonCodec.of(TaskOrigin.class);

    /** A caller whom an authorization server vouched for. */
    record Principal(String issuer, String subject, @Nullable String client, List<String> scopes) {
        static @Nullable Principal of(Caller caller) {
            return caller.isAnonymous()
                    ? null
                    : new Principal(
                            caller.issuer(),
                            caller.subject(),
                            caller.client().orElse(null),
                            caller.scopes().stream().sorted().toList());
        }
    }

    public static TaskOrigin of(
            CallToolRequest request,
            RequestContext context,
            @Nullable String base,
            @Nullable Retry retry) {
        return new TaskOrigin(
                RawJson.of(request.arguments()),
                request.meta(),
                Principal.of(context.caller()),
                context.capabilities(),
                context.client(),
                context.face().revision().date(),
                base,
                retry);
    }

    public static TaskOrigin read(RawJson origin) {
        return CODEC.read(origin);
    }

    public RawJson write() {
        return CODEC.write(this);
    }

    /** The caller as it was. */
    public Caller identity() {
        return caller == null
                ? Caller.anonymous()
                : Caller.of(
                        caller.issuer(),
                        caller.subject(),
                        caller.client(),
                        Set.copyOf(caller.scopes()));
    }

    /** Returns the data of the client in the run. */
    RequestContext context(Predicate<LoggingLevel> logFilter) {
        return new RequestContext(
                WireFace.of(Revision.of(revision).orElseThrow()),
                identity(),
                capabilities,
                client,
                false,
                logFilter,
                null);
    }

    /** The request, as far as a handler sees it. */
    public CallToolRequest request(String tool) {
        return new CallToolRequest(tool, (JsonObject) arguments.value()).withMeta(meta);
    }
}
