package dev.fairlead.server.features;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.engine.PreparedRequest;
import dev.fairlead.server.call.ToolTarget;
import dev.fairlead.server.prompts.ServerPrompt;
import dev.fairlead.server.tools.ServerTool;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The target of a request of the client, found before the thread is chosen that runs it.
 *
 * @param pace of the feature; null if the request gets a thread of its own
 * @param needsPlatformThread whether that is a platform thread
 * @param tool the tool and its arguments, read already; null for other methods, and where the
 *     parameters are malformed, which the handler refuses
 */
public record RequestTarget(
        @Nullable Pace pace, boolean needsPlatformThread, @Nullable ToolTarget tool, Body body)
        implements PreparedRequest {
    /** Runs a request whose target was found. */
    @FunctionalInterface
    public interface Body {
        RawJson run(IncomingRequest request, @Nullable ToolTarget tool) throws Exception;
    }

    @Override
    public RawJson run(IncomingRequest request) throws Exception {
        return body.run(request, tool);
    }

    /**
     * Finds the target of a request.
     *
     * @param ownThread whether all requests get threads of their own, as those without target do
     */
    public static RequestTarget of(
            JsonRpcRequest request,
            FeatureSet features,
            MethodPaces methods,
            boolean ownThread,
            Body body) {
        if (request.method().equals(Methods.CALL_TOOL.name())) {
            return tool(request, features, ownThread, body);
        }
        return new RequestTarget(
                ownThread ? null : pace(request, features, methods), false, null, body);
    }

    private static @Nullable Pace pace(
            JsonRpcRequest request, FeatureSet features, MethodPaces methods) {
        String method = request.method();
        if (method.equals(Methods.GET_PROMPT.name())) {
            ServerPrompt prompt = features.prompts().find(member(request.params(), "name"));
            return prompt == null ? null : prompt.pace();
        }
        if (method.equals(Methods.READ_RESOURCE.name())) {
            return features.resources().pace(member(request.params(), "uri"));
        }
        ServerMethod own = features.methods().find(method);
        return own == null ? methods.of(method) : own.pace();
    }

    /** Returns a member of the parameters; empty if it is missing or no string. */
    private static String member(@Nullable RawJson params, String name) {
        if (params == null) {
            return "";
        }
        try {
            RawJson value = params.member(name);
            return value == null ? "" : Objects.requireNonNullElse(value.string(), "");
        } catch (JsonException e) { // the handler refuses it
            return "";
        }
    }

    private static RequestTarget tool(
            JsonRpcRequest request, FeatureSet features, boolean ownThread, Body body) {
        ToolTarget target;
        try {
            target = ToolTarget.read(request.params());
        } catch (JsonRpcException e) { // the handler refuses it in the same way
            return new RequestTarget(null, false, null, body);
        }
        ServerTool tool = features.tools().find(target.name());
        if (tool == null) {
            return new RequestTarget(null, false, target, body);
        }
        Pace pace = ownThread || target.asksForTask() ? null : tool.pace();
        return new RequestTarget(pace, tool.blocking(), target, body);
    }
}
