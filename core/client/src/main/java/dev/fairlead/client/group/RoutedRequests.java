package dev.fairlead.client.group;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpRequests;
import dev.fairlead.client.ResourceListener;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The requests of a group, with the options of one copy. */
sealed class RoutedRequests implements McpRequests permits LiveGroup {
    private static final Set<Integer> NOT_KNOWN =
            Set.of(
                    McpErrorCode.RESOURCE_NOT_FOUND,
                    ErrorCode.INVALID_PARAMS,
                    ErrorCode.METHOD_NOT_FOUND);

    private final Members members;
    private final UnaryOperator<ClientRequests> options;

    RoutedRequests(Members members, UnaryOperator<ClientRequests> options) {
        this.members = members;
        this.options = options;
    }

    // ---- options

    private RoutedRequests with(UnaryOperator<ClientRequests> more) {
        return new RoutedRequests(members, requests -> more.apply(options.apply(requests)));
    }

    @Override
    public final RoutedRequests withTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        return with(requests -> requests.withTimeout(timeout));
    }

    @Override
    public final RoutedRequests withTimeout(Duration idle, Duration maximum) {
        Objects.requireNonNull(idle, "idle");
        Objects.requireNonNull(maximum, "maximum");
        return with(requests -> requests.withTimeout(idle, maximum));
    }

    @Override
    public final RoutedRequests withProgress(ProgressListener listener) {
        Objects.requireNonNull(listener, "listener");
        return with(requests -> requests.withProgress(listener));
    }

    @Override
    public final RoutedRequests withUrlElicitation(Duration wait) {
        Objects.requireNonNull(wait, "wait");
        return with(requests -> requests.withUrlElicitation(wait));
    }

    // ---- routing

    /** A request to one server, with the options of this copy. */
    @FunctionalInterface
    private interface Request<R> {
        R on(ClientRequests requests) throws InterruptedException;
    }

    private <R> R send(Member member, Request<R> request) throws InterruptedException {
        return member.call(client -> request.on(options.apply(client)));
    }

    /** A request to each of several servers until one knows the answer. */
    @FunctionalInterface
    private interface Asking<R> {
        R of(Member member) throws InterruptedException;
    }

    /**
     * Asks the server that has a resource; where no list contains it, each that may have it, until
     * one knows it or requires a visit first. Of several refusals, throws the most informative one.
     */
    private <R> R ask(String uri, Asking<R> asking) throws InterruptedException {
        List<Member> candidates = members.having(uri);
        if (candidates.size() == 1) {
            return asking.of(candidates.getFirst());
        }
        CallException refusal = null;
        for (Member candidate : candidates) {
            try {
                return asking.of(candidate);
            } catch (UrlElicitationRequiredException e) {
                throw e;
            } catch (CallException e) {
                refusal = refusal == null ? e : weightier(refusal, e);
            }
        }
        throw refusal == null
                ? JsonRpcException.invalidParams("Unknown resource: " + uri)
                : refusal;
    }

    private static CallException weightier(CallException one, CallException other) {
        boolean first = weight(one) > weight(other);
        CallException more = first ? one : other;
        more.addSuppressed(first ? other : one);
        return more;
    }

    /** An absent server is less informative than one that does not know the resource. */
    private static int weight(CallException refusal) {
        return switch (refusal) {
            case JsonRpcException e -> NOT_KNOWN.contains(e.code()) ? 1 : 3;
            case CapabilityException e -> 0;
            case ServerUnavailableException e -> 0;
            default -> 2; // no answer that can be used
        };
    }

    // ---- tools

    @Override
    public final CallToolResult callTool(CallToolRequest request) throws InterruptedException {
        Members.Found tool = members.tool(request.name());
        return send(tool.member(), requests -> requests.callTool(request.withName(tool.name())));
    }

    @Override
    public final TaskHandle<CallToolResult> startTool(CallToolRequest request)
            throws InterruptedException {
        Members.Found tool = members.tool(request.name());
        return send(tool.member(), requests -> requests.startTool(request.withName(tool.name())));
    }

    // ---- resources

    @Override
    public final ReadResourceResult readResource(ReadResourceRequest request)
            throws InterruptedException {
        return ask(
                request.uri(), member -> send(member, requests -> requests.readResource(request)));
    }

    @Override
    public final Subscription watch(String uri, ResourceListener listener)
            throws InterruptedException {
        Objects.requireNonNull(listener, "listener");
        return ask(
                uri,
                member ->
                        member.call(
                                client ->
                                        member.watches()
                                                .add(
                                                        uri,
                                                        listener,
                                                        options.apply(client),
                                                        client)));
    }

    // ---- prompts and completion

    @Override
    public final GetPromptResult getPrompt(GetPromptRequest request) throws InterruptedException {
        Members.Found prompt = members.prompt(request.name());
        return send(
                prompt.member(), requests -> requests.getPrompt(request.withName(prompt.name())));
    }

    @Override
    public final CompleteResult complete(CompleteRequest request) throws InterruptedException {
        return switch (request.ref()) {
            case PromptReference ref -> {
                Members.Found prompt = members.prompt(ref.name());
                yield send(
                        prompt.member(),
                        requests ->
                                requests.complete(request.withRef(ref.withName(prompt.name()))));
            }
            case ResourceTemplateReference ref ->
                    send(members.havingTemplate(ref.uri()), requests -> requests.complete(request));
        };
    }

    // ---- rounds by hand

    @Override
    public final Outcome<CallToolResult> nextRound(
            CallToolRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException {
        Members.Found tool = members.tool(request.name());
        CallToolRequest sent = request.withName(tool.name());
        return send(
                tool.member(), requests -> requests.nextRound(sent, inputResponses, requestState));
    }

    @Override
    public final Outcome<GetPromptResult> nextRound(
            GetPromptRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException {
        Members.Found prompt = members.prompt(request.name());
        GetPromptRequest sent = request.withName(prompt.name());
        return send(
                prompt.member(),
                requests -> requests.nextRound(sent, inputResponses, requestState));
    }

    @Override
    public final Outcome<ReadResourceResult> nextRound(
            ReadResourceRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException {
        return ask(
                request.uri(),
                member ->
                        send(
                                member,
                                requests ->
                                        requests.nextRound(request, inputResponses, requestState)));
    }

    // ---- logging

    @Override
    public final void setLoggingLevel(LoggingLevel level) throws InterruptedException {
        members.setLoggingLevel(Objects.requireNonNull(level, "level"), options);
    }
}
