package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.completion.Reference;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;

/**
 * The requests that a client sends to one server, and that a group of clients routes to the server
 * that each is for. Not for implementing; grows by methods.
 *
 * <p>Every method blocks until the server has answered, and is safe for use by several threads. An
 * interrupt of the caller (also by {@code Future.cancel(true)}) and the end of the time limit
 * cancel the request at the server. Each throws a {@link CallException} if there is no result:
 * {@link dev.fairlead.jsonrpc.JsonRpcException} where the server answers with an error, {@link
 * dev.fairlead.jsonrpc.RequestTimeoutException} where it does not in time, {@link
 * dev.fairlead.jsonrpc.ConnectionException} where the connection is lost or closed, {@link
 * dev.fairlead.protocol.InvalidResultException} where the answer does not conform to the protocol,
 * and {@link dev.fairlead.protocol.CapabilityException}, before anything is sent, where the server
 * did not declare the capability. Since revision 2026-07-28 a handler that throws while it answers
 * the input requests for a call ends the call with its exception, in a {@link HandlerException} if
 * that is a checked one.
 *
 * <p>The {@code with} methods return a copy with other settings that shares the connection.
 */
public interface McpRequests {
    /**
     * A copy that waits this long without a sign of life from the server, instead of {@link
     * McpClient.Builder#requestTimeout}; where {@link #withProgress} listens, progress restarts the
     * timeout, up to {@link McpClient.Builder#maxTotalTimeout}.
     *
     * @param timeout above zero; it becomes the maximum too where it is longer than that
     */
    McpRequests withTimeout(Duration timeout);

    /**
     * A copy with its own limits for the wait without a sign of life and for the wait in all: of
     * one call, over all that is sent for it. Since revision 2026-07-28 the time in which handlers
     * answer does not count.
     *
     * @param maxTotal not below {@code idle}
     */
    McpRequests withTimeout(Duration idle, Duration maxTotal);

    /**
     * A copy whose requests ask for progress; the listener runs on the thread that waits for the
     * answer.
     */
    McpRequests withProgress(ProgressListener listener);

    /**
     * A copy whose requests, refused because pages must be visited first ({@code -32042}), show
     * each page to the handler of {@link McpClient.Builder#onElicitUrl}, wait for the server to
     * report every one complete, and are then sent once more.
     *
     * <p>The exception of the first attempt is thrown where the person does not consent, there is
     * no such handler, or the reports have not come in time; the caller may then try again.
     *
     * @param wait how long to wait for all reports
     */
    McpRequests withUrlElicitation(Duration wait);

    /**
     * Calls a tool. A failure of the tool is a value here, see {@link CallToolResult#isError()}.
     * Structured content is checked against the output schema once the definition of the tool is
     * known, from {@link ClientRequests#tools} or a typed call.
     */
    default CallToolResult callTool(String name, JsonObject arguments) throws InterruptedException {
        return callTool(new CallToolRequest(name, arguments));
    }

    /**
     * Calls a tool, otherwise as {@link #callTool(String, JsonObject)}. It is called as a task
     * where the request has a {@code task}, where the tool is known to require one, and where the
     * server then answers that it must; see {@link RemoteTool#call}.
     */
    CallToolResult callTool(CallToolRequest request) throws InterruptedException;

    /**
     * Starts a tool as a task, without a look at its definition; otherwise as {@link
     * RemoteTool#start}. A failure of the tool is a {@link
     * dev.fairlead.protocol.tools.ToolFailedException} of the wait, which has the whole result.
     */
    TaskHandle<CallToolResult> startTool(CallToolRequest request) throws InterruptedException;

    /** Reads a resource. */
    default ReadResourceResult readResource(String uri) throws InterruptedException {
        return readResource(new ReadResourceRequest(uri));
    }

    /** Reads a resource. */
    ReadResourceResult readResource(ReadResourceRequest request) throws InterruptedException;

    /**
     * Watches a resource: subscribes at the server.
     *
     * @param listener receives the URI that changed: this one, or one below it
     * @return ends the watching when closed
     */
    Subscription watch(String uri, ResourceListener listener) throws InterruptedException;

    /** Gets a prompt that needs no arguments. */
    default GetPromptResult getPrompt(String name) throws InterruptedException {
        return getPrompt(name, Map.of());
    }

    /** Gets a prompt, filled in with these arguments. */
    default GetPromptResult getPrompt(String name, Map<String, String> arguments)
            throws InterruptedException {
        return getPrompt(new GetPromptRequest(name, arguments));
    }

    /** Gets a prompt. */
    GetPromptResult getPrompt(GetPromptRequest request) throws InterruptedException;

    /** Asks how an argument could be completed. */
    default CompleteResult complete(Reference ref, String argument, String value)
            throws InterruptedException {
        return complete(new CompleteRequest(ref, new CompleteRequest.Argument(argument, value)));
    }

    /**
     * Asks how an argument could be completed.
     *
     * @param chosen the arguments that are filled in already
     */
    default CompleteResult complete(
            Reference ref, String argument, String value, Map<String, String> chosen)
            throws InterruptedException {
        return complete(
                new CompleteRequest(ref, new CompleteRequest.Argument(argument, value))
                        .withContext(new CompleteRequest.Context().withArguments(chosen)));
    }

    /** Asks how an argument could be completed. */
    CompleteResult complete(CompleteRequest request) throws InterruptedException;

    /**
     * Sends one round of a call by hand, for programs that cannot wait for an answer of a person:
     * the input requests of the server are returned, and no handler is asked. {@link #nextRound}
     * continues, also in another process, with the same request and the {@code inputRequests} and
     * {@code requestState} of the outcome, which can be kept as JSON in between; the state is not
     * for reading and belongs to this call alone. Nothing that was kept is used as an answer.
     *
     * <p>The input requests must be of kinds that this client declared, as with {@link #callTool}.
     * In a session of an older revision the call runs to its end, and questions go to the handlers.
     *
     * @return complete, or the input requests of the server; never a task
     * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
     *     round-trip requests
     */
    default Outcome<CallToolResult> firstRound(CallToolRequest request)
            throws InterruptedException {
        return nextRound(request, Map.of(), null);
    }

    /** Sends the first round of a prompt, as {@link #firstRound(CallToolRequest)}. */
    default Outcome<GetPromptResult> firstRound(GetPromptRequest request)
            throws InterruptedException {
        return nextRound(request, Map.of(), null);
    }

    /** Sends the first round of a resource, as {@link #firstRound(CallToolRequest)}. */
    default Outcome<ReadResourceResult> firstRound(ReadResourceRequest request)
            throws InterruptedException {
        return nextRound(request, Map.of(), null);
    }

    /**
     * Sends a further round of a call.
     *
     * @param request that of the first round
     * @param inputResponses by the keys of the questions, the results of the methods that they
     *     name, as the specification defines them; sent as they are. Empty where there was no
     *     question
     * @param requestState of the outcome of the round before; null where it had none
     * @return as {@link #firstRound(CallToolRequest)}
     * @throws dev.fairlead.jsonrpc.ConnectionException also if the server now speaks an older
     *     revision, which continues no call
     */
    Outcome<CallToolResult> nextRound(
            CallToolRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException;

    /** Sends a further round of a prompt, as {@link #nextRound(CallToolRequest, Map, String)}. */
    Outcome<GetPromptResult> nextRound(
            GetPromptRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException;

    /** Sends a further round of a resource, as {@link #nextRound(CallToolRequest, Map, String)}. */
    Outcome<ReadResourceResult> nextRound(
            ReadResourceRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException;

    /**
     * Asks for log messages of this level and above; set again in a session that replaces an
     * expired one.
     */
    void setLoggingLevel(LoggingLevel level) throws InterruptedException;
}
