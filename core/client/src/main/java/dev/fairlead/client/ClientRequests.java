package dev.fairlead.client;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.tasks.GetTaskPayloadResult;
import dev.fairlead.protocol.tasks.ListTasksResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The requests that a client sends to its server: those of {@link McpRequests}, which says how they
 * end, and those that need to know the server. Not for implementing; grows by methods.
 */
public sealed interface ClientRequests extends McpRequests permits McpClient, Requests {
    @Override
    ClientRequests withTimeout(Duration timeout);

    @Override
    ClientRequests withTimeout(Duration idle, Duration maxTotal);

    @Override
    ClientRequests withProgress(ProgressListener listener);

    @Override
    ClientRequests withUrlElicitation(Duration wait);

    /**
     * Returns a copy whose requests carry these HTTP headers, beside those of the connector and in
     * place of those with the same name; a second call adds to the first. So one client serves many
     * users.
     *
     * <p>The headers go out with the POST of each request of the copy, with the GET that resumes
     * the stream of its answer, and with its cancellation. Nothing else carries them: not {@code
     * initialize}, not the stream that listens to the server, no answer to a question of the
     * server, no notification, and no request that follows a task that was started. The definitions
     * of tools that the client keeps are shared by all copies.
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

    /**
     * Returns the revision agreed on.
     *
     * @throws IllegalStateException if the client is {@link McpClient.Builder#lazy} and has not
     *     connected yet
     */
    Revision revision();

    /**
     * A copy whose requests are answered by the server, and not by results that this client was
     * allowed to keep; the results are kept for others.
     *
     * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
     *     Caching
     */
    ClientRequests withFreshResults();

    /** A copy that neither uses nor keeps results that the server allows to keep. */
    ClientRequests withoutCache();

    /** Asks for a sign of life. */
    void ping() throws InterruptedException;

    /**
     * A tool of the server, called with and answering with values of these classes. Nothing is sent
     * yet.
     *
     * @param input a record, or {@link JsonObject}
     * @param output {@code String} takes the text of the result, a class of {@link
     *     dev.fairlead.protocol.content.Content} its only block; {@link CallToolResult} takes the
     *     result as it is, unless it is an error; any other class is bound to the structured
     *     content
     * @throws IllegalArgumentException if a class has no JSON form
     */
    <I, O> RemoteTool<I, O> tool(String name, Class<I> input, Class<O> output);

    /**
     * A tool whose output is a type with type arguments; otherwise as {@link #tool(String, Class,
     * Class)}.
     */
    <I, O> RemoteTool<I, O> tool(String name, Class<I> input, TypeRef<O> output);

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
     * of {@link #withTimeout(Duration, Duration)}, also without a response or progress. The end of
     * the wait leaves the task alone. {@link #task} returns a handle that waits longer and
     * tolerates failures.
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

    /** All prompts, from every page; fails as {@link #tools} does. */
    List<Prompt> prompts() throws InterruptedException;

    /** One page of the prompts; the cursor is as for {@link #toolPage}. */
    ListPromptsResult promptPage(@Nullable String cursor) throws InterruptedException;

    /**
     * Gets a prompt, filled in with the components of a record: texts as they are, null left out,
     * the rest as JSON text.
     *
     * @throws IllegalArgumentException if the class of the record has no JSON form
     */
    GetPromptResult getPrompt(String name, Record arguments) throws InterruptedException;

    /**
     * Sends any request and returns the result as it is. Pages of {@code tools/list} of revision
     * 2026-07-28 over HTTP lack the tools whose arguments cannot be repeated in headers, as {@link
     * #tools} does.
     *
     * @throws IllegalArgumentException if it is {@code initialize}, which the client sends by
     *     itself
     * @throws dev.fairlead.protocol.InvalidResultException if the answer to a method of revision
     *     2026-07-28 is a task, or has a {@code resultType} that the revision lacks
     * @throws dev.fairlead.protocol.CapabilityException if it is a method of the protocol that the
     *     server did not declare
     */
    JsonObject request(String method, JsonObject params) throws InterruptedException;

    /**
     * Sends any notification; returns when it was handed to the transport, not when it has arrived.
     *
     * @throws IllegalArgumentException if it is {@code notifications/initialized}, which the client
     *     sends by itself
     */
    void notify(String method, JsonObject params) throws InterruptedException;
}
