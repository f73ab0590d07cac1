package dev.fairlead.server;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonReader;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.ListToolsRequest;
import dev.fairlead.protocol.ListToolsResult;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Tool;
import dev.fairlead.protocol.ToolFailedException;
import dev.fairlead.protocol.UrlElicitationRequiredException;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.Incident;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** {@code tools/list} and {@code tools/call}. */
final class ToolMethods {
    private final Paging paging;

    ToolMethods(Paging paging) {
        this.paging = paging;
    }

    ListToolsResult list(ListToolsRequest request, ServerCall call) throws Exception {
        FeatureSet features = call.session().features();
        PageUnderWay<Tool> page = paging.begin("tools", request.cursor());
        List<Paging.Listed<Tool>> listed =
                Paging.each(
                        page,
                        features.tools(),
                        tool -> tool.isVisibleTo(call.caller()) ? tool.definition() : null);
        listed.addAll(Paging.sources(page, features.toolSources(), call));
        Paging.fill(page, listed);
        return new ListToolsResult(page.items()).withNextCursor(page.nextCursor());
    }

    /** The way to {@code tools/call}, which does without records where nobody looks at them. */
    MethodTable.Route call() {
        return new CallRoute();
    }

    private static final class CallRoute implements MethodTable.Route {
        @Override
        public RawJson answer(ServerCall call) throws Exception {
            Target target = Target.read(call.request().params());
            ToolReply reply =
                    run(
                            target.name(),
                            target.arguments(),
                            () -> (CallToolRequest) params(call),
                            call);
            boolean structured = call.revision().isAtLeast(Revision.V2025_06_18);
            return switch (reply) {
                case ToolReply.Text text -> text.toWire();
                case ToolReply.Structured content when structured -> content.toWire();
                case ToolReply.Structured content -> write(content.result(), call);
                case ToolReply.Full full -> write(full.result(), call);
            };
        }

        @Override
        public Object params(ServerCall call) {
            return call.face().readParams(Methods.CALL_TOOL, call.request().params()).params();
        }

        @Override
        public Object run(Object params, ServerCall call) throws Exception {
            CallToolRequest request = (CallToolRequest) params;
            return run(request.name(), RawJson.of(request.arguments()), () -> request, call)
                    .result();
        }

        @Override
        public RawJson write(Object result, ServerCall call) {
            return Interception.write(result, Methods.CALL_TOOL, call.face());
        }

        private static ToolReply run(
                String name, RawJson arguments, Supplier<CallToolRequest> request, ServerCall call)
                throws Exception {
            FeatureSet features = call.session().features();
            ServerTool tool = features.tools().find(name);
            if (tool == null || !tool.isVisibleTo(call.caller())) {
                return fromSource(features, name, request, call);
            }
            if (tool.timeout() != null) {
                call.limit(tool.timeout());
            }
            try {
                return tool.body().call(arguments, request, call);
            } catch (Throwable failure) {
                return failed(name, failure, call);
            }
        }

        private static ToolReply fromSource(
                FeatureSet features,
                String name,
                Supplier<CallToolRequest> request,
                ServerCall call)
                throws Exception {
            var source = ServerSource.find(features.toolSources(), name, call.caller());
            if (source == null) {
                throw JsonRpcException.invalidParams("Unknown tool: " + name);
            }
            try {
                return new ToolReply.Full(source.handler().handle(request.get(), call));
            } catch (Throwable failure) {
                return failed(name, failure, call);
            }
        }
    }

    /**
     * Who must act decides: the model sees what it can correct; the rest is an error of the
     * protocol or in the log.
     */
    private static ToolReply failed(String tool, Throwable failure, ServerCall call)
            throws Exception {
        return switch (failure) {
            case ToolFailedException e -> new ToolReply.Full(e.result());
            case UrlElicitationRequiredException e when !call.capabilities().elicitationUrl() ->
                    new ToolReply.Full(CallToolResult.failure(e.getMessage()));
            case JsonRpcException e -> throw e;
            case ToolOutput.BrokenOutputException e ->
                    throw new JsonRpcException(
                            ErrorCode.INTERNAL_ERROR,
                            Incident.log("The tool " + tool + " broke its own output schema", e));
            // the client lacks a capability, is silent or gone, or answered what it must not
            case CallException e -> new ToolReply.Full(CallToolResult.failure(e.getMessage()));
            default -> stoppedOrUnexpected(tool, failure, call);
        };
    }

    private static ToolReply stoppedOrUnexpected(String tool, Throwable failure, ServerCall call) {
        Optional<Cancellation> cancellation = call.request().cancellation();
        if (cancellation.isEmpty()) {
            return new ToolReply.Full(
                    CallToolResult.failure(Incident.log("The tool " + tool + " failed", failure)));
        }
        String reason = cancellation.get().reason();
        return new ToolReply.Full(
                CallToolResult.failure(
                        "The tool was stopped" + (reason == null ? "" : ": " + reason)));
    }

    /**
     * What {@code tools/call} names, read without binding the arguments, which the tool binds
     * itself.
     *
     * @param arguments an object
     */
    private record Target(String name, RawJson arguments) {
        static Target read(@Nullable RawJson params) {
            if (params == null) {
                throw JsonRpcException.invalidParams("Invalid params: name is missing");
            }
            String name = null;
            RawJson arguments = null;
            try (JsonReader reader = params.reader()) {
                reader.beginObject();
                for (String member = reader.nextName();
                        member != null;
                        member = reader.nextName()) {
                    switch (member) {
                        case "name" ->
                                name = once(name, member, reader, JsonReader.Kind.STRING).string();
                        case "arguments" -> {
                            if (reader.kind() == JsonReader.Kind.NULL) {
                                reader.skip();
                            } else {
                                arguments =
                                        once(arguments, member, reader, JsonReader.Kind.OBJECT)
                                                .raw();
                            }
                        }
                        default -> reader.skip();
                    }
                }
            } catch (JsonException e) {
                throw JsonRpcException.invalidParams("Invalid params: " + e.getMessage());
            }
            if (name == null) {
                throw JsonRpcException.invalidParams("Invalid params: name is missing");
            }
            return new Target(name, arguments == null ? RawJson.EMPTY_OBJECT : arguments);
        }

        private static JsonReader once(
                @Nullable Object before,
                String member,
                JsonReader reader,
                JsonReader.Kind expected) {
            if (before != null) {
                throw JsonRpcException.invalidParams(
                        "Invalid params: " + member + " is there twice");
            }
            if (reader.kind() != expected) {
                throw JsonRpcException.invalidParams(
                        "Invalid params: "
                                + member
                                + " must be "
                                + expected.phrase()
                                + " but was "
                                + reader.kind().phrase());
            }
            return reader;
        }
    }

    /** For messages of warnings about names that the specification advises against (TOOL-007). */
    static Optional<String> oddity(String name) {
        boolean fine = name.length() <= 128 && name.matches("[A-Za-z0-9_.-]+");
        return fine
                ? Optional.empty()
                : Optional.of(
                        "tool name should be 1 to 128 characters from A-Z a-z 0-9 _ - . but was \""
                                + name
                                + "\"");
    }
}
