package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.CompleteRequest;
import dev.fairlead.protocol.CompleteResult;
import dev.fairlead.protocol.GetPromptRequest;
import dev.fairlead.protocol.GetPromptResult;
import dev.fairlead.protocol.GetTaskPayloadResult;
import dev.fairlead.protocol.ListPromptsResult;
import dev.fairlead.protocol.ListResourceTemplatesResult;
import dev.fairlead.protocol.ListResourcesResult;
import dev.fairlead.protocol.ListTasksResult;
import dev.fairlead.protocol.ListToolsResult;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.ProgressListener;
import dev.fairlead.protocol.Prompt;
import dev.fairlead.protocol.ReadResourceRequest;
import dev.fairlead.protocol.ReadResourceResult;
import dev.fairlead.protocol.Reference;
import dev.fairlead.protocol.Resource;
import dev.fairlead.protocol.ResourceTemplate;
import dev.fairlead.protocol.Task;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.Tool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The requests that a client sends to its server. Not for implementing; grows by methods.
 *
 * <p>Every method blocks until the server has answered, and is safe for use by several threads. An
 * interrupt of the caller (also by {@code Future.cancel(true)}) and the end of the time limit
 * cancel the request at the server. Each throws a {@link CallException} if there is no result:
 * {@link dev.fairlead.jsonrpc.JsonRpcException} where the server answers with an error, {@link
 * dev.fairlead.jsonrpc.RequestTimeoutException} where it does not in time, {@link
 * dev.fairlead.jsonrpc.ConnectionException} where the connection is lost or closed, {@link
 * dev.fairlead.protocol.InvalidResultException} where the answer is not what the protocol allows,
 * and {@link dev.fairlead.protocol.CapabilityException}, before anything is sent, where the server
 * did not declare the capability.
 *
 * <p>The {@code with} methods return a copy with other settings that shares the connection.
 */
public sealed interface ClientRequests permits McpClient, Requests {

    /**
     * A copy that waits this long without a sign of life from the server, instead of {@link
     * McpClient.Builder#requestTimeout}; where {@link #withProgress} listens, progress starts the
     * time anew, up to {@link McpClient.Builder#maxTotalTimeout}.
     *
     * @param timeout above zero; it becomes the maximum too where it is longer than that
     */
    ClientRequests withTimeout(Duration timeout);

    /**
     * A copy with its own limits for the wait without a sign of life and for the wait in all.
     *
     * @param maxTotal not below {@code idle}
     */
    ClientRequests withTimeout(Duration idle, Duration maxTotal);

    /**
     * A copy whose requests ask for progress; the listener runs on the thread that waits for the
     * answer.
     */
    ClientRequests withProgress(ProgressListener listener);

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
    ClientRequests withUrlElicitation(Duration wait);

    /**
     * A copy whose requests carry these HTTP headers, beside those of the connector and in place of
     * those with the same name; a second call adds to the first. So one client serves many users.
     *
     * <p>The headers go out with the POST of each request of the copy, with what resumes the stream
     * of its answer, and with its cancellation. Nothing else carries them: not {@code initialize},
     * not the stream that listens to the server, no answer to a question of the server, no
     * notification, and no request that follows a task that was started. What the client remembers
     * of the tools of the server is shared by all copies.
     *
     * <p>A request fails with {@link IllegalArgumentException} where the transport has no headers,
     * as over stdio, and where a header belongs to the protocol or, as {@code Authorization} of a
     * client with a login, to that.
     *
     * @param headers names and values; values are visible characters of ISO 8859-1, blanks and tabs
     * @throws IllegalArgumentException if a name or a value cannot be that of a header, or a name
     *     is there twice
     */
    ClientRequests withHeaders(Map<String, String> headers);

    /** Asks for a sign of life. */
    void ping() throws InterruptedException;

    /**
     * A tool of the server, called with and answering with values of these classes. Nothing is sent
     * yet.
     *
     * @param input a record, or {@link JsonObject}
     * @param output {@code String} takes the text of the result, a class of {@link
     *     dev.fairlead.protocol.Content} its only block; {@link CallToolResult} takes the result as
     *     it is, unless it is an error; any other class is bound to the structured content
     * @throws IllegalArgumentException if a class has no JSON form
     */
    <I, O> RemoteTool<I, O> tool(String name, Class<I> input, Class<O> output);

    /**
     * A tool whose output is a type with type arguments; otherwise as {@link #tool(String, Class,
     * Class)}.
     */
    <I, O> RemoteTool<I, O> tool(String name, Class<I> input, TypeRef<O> output);

    /**
     * Calls a tool. A failure of the tool is a value here, see {@link CallToolResult#isError()}.
     * Structured content is checked against the output schema once the definition of the tool is
     * known, from {@link #tools} or a typed call.
     */
    CallToolResult callTool(String name, JsonObject arguments) throws InterruptedException;

    /**
     * Calls a tool, otherwise as {@link #callTool(String, JsonObject)}. It is called as a task
     * where the request has a {@code task}, where the tool is known to require one, and where the
     * server then answers that it must; see {@link RemoteTool#call}.
     */
    CallToolResult callTool(CallToolRequest request) throws InterruptedException;

    /**
     * All tools, from every page.
     *
     * @throws dev.fairlead.protocol.InvalidResultException if the pages go in a circle, or are more
     *     than {@link McpClient.Builder#listLimits} allows
     */
    List<Tool> tools() throws InterruptedException;

    /**
     * One page of the tools.
     *
     * @param cursor where the page before said that this one begins; null for the first page
     */
    ListToolsResult toolPage(@Nullable String cursor) throws InterruptedException;

    /**
     * Starts a tool as a task, without a look at its definition; otherwise as {@link
     * RemoteTool#start}. A failure of the tool is a {@link
     * dev.fairlead.protocol.ToolFailedException} of the wait, which has the whole result.
     */
    TaskHandle<CallToolResult> startTool(CallToolRequest request) throws InterruptedException;

    /**
     * A task that was started before, perhaps by another process. Nothing is sent yet.
     *
     * @param output as for {@link #tool(String, Class, Class)}
     */
    <O> TaskHandle<O> task(TaskId id, Class<O> output);

    /** A task whose output is a type with type arguments. */
    <O> TaskHandle<O> task(TaskId id, TypeRef<O> output);

    /**
     * A task whose outcome is taken as it is on the wire: a result by which a tool says that it
     * failed is a value here. Nothing is sent yet.
     */
    TaskHandle<GetTaskPayloadResult> task(TaskId id);

    /** Asks how a task stands. */
    Task getTask(TaskId id) throws InterruptedException;

    /**
     * Asks for the outcome of a task as it is on the wire, and waits for it: as long as the maximum
     * of {@link #withTimeout(Duration, Duration)}, whatever the limit without a sign of life. The
     * end of the wait leaves the task alone. {@link #task} gives a handle that waits longer and
     * bears failures.
     */
    GetTaskPayloadResult taskResult(TaskId id) throws InterruptedException;

    /** Cancels a task. */
    Task cancelTask(TaskId id) throws InterruptedException;

    /**
     * All tasks that the server shows to this client, from every page; fails as {@link #tools}
     * does. Many servers do not list tasks.
     */
    List<Task> tasks() throws InterruptedException;

    /** One page of the tasks; the cursor is as for {@link #toolPage}. */
    ListTasksResult taskPage(@Nullable String cursor) throws InterruptedException;

    /** All resources, from every page; fails as {@link #tools} does. */
    List<Resource> resources() throws InterruptedException;

    /** One page of the resources; the cursor is as for {@link #toolPage}. */
    ListResourcesResult resourcePage(@Nullable String cursor) throws InterruptedException;

    /** All resource templates, from every page; fails as {@link #tools} does. */
    List<ResourceTemplate> resourceTemplates() throws InterruptedException;

    /** One page of the resource templates; the cursor is as for {@link #toolPage}. */
    ListResourceTemplatesResult resourceTemplatePage(@Nullable String cursor)
            throws InterruptedException;

    /** Reads a resource. */
    ReadResourceResult readResource(String uri) throws InterruptedException;

    /** Reads a resource. */
    ReadResourceResult readResource(ReadResourceRequest request) throws InterruptedException;

    /**
     * Watches a resource: subscribes at the server.
     *
     * @param listener hears the URI that changed: this one, or one below it
     * @return ends the watching when closed
     */
    Subscription watch(String uri, ResourceListener listener) throws InterruptedException;

    /** All prompts, from every page; fails as {@link #tools} does. */
    List<Prompt> prompts() throws InterruptedException;

    /** One page of the prompts; the cursor is as for {@link #toolPage}. */
    ListPromptsResult promptPage(@Nullable String cursor) throws InterruptedException;

    /** Gets a prompt that needs no arguments. */
    GetPromptResult getPrompt(String name) throws InterruptedException;

    /** Gets a prompt, filled in with these arguments. */
    GetPromptResult getPrompt(String name, Map<String, String> arguments)
            throws InterruptedException;

    /**
     * Gets a prompt, filled in with the components of a record: texts as they are, null left out,
     * the rest as JSON text.
     *
     * @throws IllegalArgumentException if the class of the record has no JSON form
     */
    GetPromptResult getPrompt(String name, Record arguments) throws InterruptedException;

    /** Gets a prompt. */
    GetPromptResult getPrompt(GetPromptRequest request) throws InterruptedException;

    /** Asks how an argument could go on. */
    CompleteResult complete(Reference ref, String argument, String value)
            throws InterruptedException;

    /**
     * Asks how an argument could go on.
     *
     * @param chosen the arguments that are filled in already
     */
    CompleteResult complete(
            Reference ref, String argument, String value, Map<String, String> chosen)
            throws InterruptedException;

    /** Asks how an argument could go on. */
    CompleteResult complete(CompleteRequest request) throws InterruptedException;

    /**
     * Asks for log messages of this level and above; set again in a session that replaces an
     * expired one.
     */
    void setLoggingLevel(LoggingLevel level) throws InterruptedException;

    /**
     * Sends any request and returns the result as it is.
     *
     * @throws dev.fairlead.protocol.CapabilityException if it is a method of the protocol that the
     *     server did not declare
     */
    JsonObject request(String method, JsonObject params) throws InterruptedException;

    /**
     * Sends any notification; returns when it was handed to the transport, not when it has arrived.
     */
    void notify(String method, JsonObject params) throws InterruptedException;
}
