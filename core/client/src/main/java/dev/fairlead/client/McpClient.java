package dev.fairlead.client;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.link.ServerMethods;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.Connector;
import dev.fairlead.peer.builder.InternalOptions;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Icon;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.pipe.PipeRemote;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.time.SharedTimers;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.tasks.Tasks;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A connection to one server, with its requests and the handlers for questions of the server.
 * Thread-safe, not for implementing; close it when done. One that is never closed keeps its
 * connection and its threads until the process ends, even where nothing refers to it.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle Lifecycle
 */
public sealed interface McpClient extends ClientRequests, AutoCloseable permits LiveClient {

    /**
     * Connects without handlers and with the default settings; otherwise as {@link
     * Builder#connect(Remote)}.
     *
     * @throws dev.fairlead.jsonrpc.CallException if the client cannot connect
     */
    static McpClient connect(Remote remote) throws InterruptedException {
        return named("fairlead", ClientSettings.VERSION).connect(remote);
    }

    /** Connects by a transport of your own; otherwise as {@link #connect(Remote)}. */
    static McpClient connect(Connector connector) throws InterruptedException {
        return named("fairlead", ClientSettings.VERSION).connect(connector);
    }

    /**
     * Returns a builder with the settings of a client.
     *
     * @param name of the program, an identifier; {@link Builder#title} is for people
     * @param version of the program
     */
    static Builder named(String name, String version) {
        return new Builder(name, version);
    }

    /**
     * Returns the name and version of the server.
     *
     * @throws IllegalStateException if the client is {@link Builder#lazy} and has not connected yet
     */
    Implementation serverInfo();

    /** Returns the capabilities that the server declares; fails as {@link #serverInfo} does. */
    ServerCapabilities serverCapabilities();

    /**
     * Returns a text for the model that explains how to use the server; fails as {@link
     * #serverInfo} does.
     */
    Optional<String> instructions();

    /**
     * Replaces the roots and notifies the server. Does not wait for it.
     *
     * @throws dev.fairlead.jsonrpc.ConnectionException if the connection is lost or closed
     * @throws IllegalStateException if no roots were declared by {@link Builder#roots}
     */
    void replaceRoots(Root... roots);

    /**
     * Notifies the server that the roots of {@link Builder#onRoots} changed.
     *
     * @throws IllegalStateException if roots were declared by neither {@link Builder#roots} nor
     *     {@link Builder#onRoots}
     */
    void rootsChanged();

    /**
     * Waits until the listener of {@link Builder#onLog} has handled every message that came before
     * now, such as those of a call that was answered just now.
     *
     * @return false if that took longer than the limit
     */
    boolean awaitLog(Duration limit) throws InterruptedException;

    /**
     * Ends the connection: no more requests, running handlers are interrupted, callers that wait
     * get a {@link dev.fairlead.jsonrpc.ConnectionException}, then the transport closes in its own
     * order. Blocks until that is done. May be called from any thread and more than once.
     */
    @Override
    void close();

    /**
     * Collects the settings of a client. The capabilities that the client declares follow from the
     * handlers that are set. Not thread-safe; may be used for several connections.
     */
    final class Builder extends InternalOptions {
        private static final SharedTimers TIMERS = new SharedTimers("mcp-client-timers");

        private final ClientSettings settings;

        private Builder(String name, String version) {
            settings = new ClientSettings(new Implementation(name, version), new PublicFailures());
        }

        /** The name of the program for people. */
        public Builder title(String title) {
            settings.info = settings.info.withTitle(Objects.requireNonNull(title, "title"));
            return this;
        }

        /** Sets the description of the program. */
        public Builder description(String description) {
            settings.info =
                    settings.info.withDescription(
                            Objects.requireNonNull(description, "description"));
            return this;
        }

        /** Where to learn more about the program. */
        public Builder websiteUrl(String websiteUrl) {
            settings.info =
                    settings.info.withWebsiteUrl(Objects.requireNonNull(websiteUrl, "websiteUrl"));
            return this;
        }

        /** The icons of the program. */
        public Builder icons(Icon... icons) {
            settings.info = settings.info.withIcons(List.of(icons));
            return this;
        }

        /**
         * Leaves the name, the version and the other descriptions of the program out of the
         * requests of revision 2026-07-28, which do not need them. Earlier revisions require them:
         * {@code initialize} contains them in any case.
         */
        public Builder withoutClientInfo() {
            settings.withoutClientInfo = true;
            return this;
        }

        /** Answers forms; declares {@code elicitation}. */
        public Builder onElicitForm(ElicitFormHandler handler) {
            Objects.requireNonNull(handler, "handler");
            settings.onElicitForm =
                    asked -> handler.answer(new ElicitForm(asked.server(), asked.request()));
            return this;
        }

        /** Opens pages for people, with their consent; declares {@code elicitation.url}. */
        public Builder onElicitUrl(ElicitUrlHandler handler) {
            Objects.requireNonNull(handler, "handler");
            settings.onElicitUrl =
                    asked ->
                            handler.answer(
                                    new ElicitUrl(
                                            asked.server(),
                                            asked.request(),
                                            URI.create(asked.request().url())));
            return this;
        }

        /**
         * Sets the listener for completed visits of pages, also of those that a {@link
         * dev.fairlead.protocol.elicitation.UrlElicitationRequiredException} named; reports for
         * unknown pages are ignored.
         */
        public Builder onElicitationComplete(ElicitationListener listener) {
            settings.onElicitationComplete =
                    Objects.requireNonNull(listener, "listener")::completed;
            return this;
        }

        /** Answers sampling requests by a model; declares {@code sampling}. */
        public Builder onSample(SampleHandler handler) {
            settings.onSample = Objects.requireNonNull(handler, "handler")::sample;
            return this;
        }

        /**
         * Lets a person approve, change or deny requests to the model of {@link #onSample} and its
         * answers.
         */
        public Builder reviewSamples(SampleReview review) {
            Objects.requireNonNull(review, "review");
            settings.reviewRequest = review::reviewRequest;
            settings.reviewResult =
                    sampled -> review.reviewResult(sampled.request(), sampled.result());
            return this;
        }

        /**
         * The model of {@link #onSample} can use tools; declares {@code sampling.tools}. By default
         * such requests are refused.
         */
        public Builder sampleTools() {
            settings.sampleTools = true;
            return this;
        }

        /**
         * The handler of {@link #onSample} can add context of servers; declares {@code
         * sampling.context}.
         */
        public Builder sampleContext() {
            settings.sampleContext = true;
            return this;
        }

        /**
         * Lets the server ask for samples and answers of the person as tasks, so that it need not
         * wait for them; declares {@code tasks} for the handlers that are set, and nothing without
         * one. The handlers are the same as for plain requests: a task is interrupted when the
         * server cancels it, when its time is over and by {@link McpClient#close}; their exception
         * is the error that it ends with.
         *
         * <p>Tasks outlive sessions, and with a store on disk the process. One that was under way
         * when the process died ends as failed unless {@link #rerunAfterCrash} says otherwise.
         *
         * @param tasks where they are kept, with their limits
         */
        public Builder tasks(Tasks tasks) {
            settings.tasks = Objects.requireNonNull(tasks, "tasks");
            return this;
        }

        /**
         * Keeps the tasks of {@link #tasks(Tasks)} under the name of the server, for a store that
         * clients of several servers share: no server sees the questions of another.
         *
         * @param server the same for the same server, also after a restart
         */
        public Builder tasks(Tasks tasks, String server) {
            settings.taskServer = Objects.requireNonNull(server, "server");
            return tasks(tasks);
        }

        /**
         * Runs the handlers again for tasks that were under way when their process died: the person
         * is asked a second time, and the model may be paid twice.
         */
        public Builder rerunAfterCrash() {
            settings.rerunAfterCrash = true;
            return this;
        }

        /**
         * Sets the directories that the server may use, until {@link McpClient#replaceRoots};
         * declares {@code roots}.
         */
        public Builder roots(Root... roots) {
            settings.roots = Roots.checked(List.of(roots));
            settings.onRoots = null;
            return this;
        }

        /**
         * Sets a handler that returns the directories that the server may use, for each request;
         * declares {@code roots}. Replaces {@link #roots}.
         */
        public Builder onRoots(RootsHandler handler) {
            Objects.requireNonNull(handler, "handler");
            settings.onRoots = () -> Roots.of(handler);
            settings.roots = null;
            return this;
        }

        /**
         * Listens to log messages, from the level of {@link ClientRequests#setLoggingLevel} on.
         * Unless that was set, the server chooses, or since revision 2026-07-28 gets {@code info}
         * with each request.
         */
        public Builder onLog(LogListener listener) {
            settings.onLog = Objects.requireNonNull(listener, "listener")::log;
            return this;
        }

        /** Sets the listener for changes of the tools. */
        public Builder onToolsChanged(ListListener<ListToolsResult> listener) {
            settings.onToolsChanged = Objects.requireNonNull(listener, "listener")::changed;
            return this;
        }

        /** Sets the listener for changes of the resources or the resource templates. */
        public Builder onResourcesChanged(ListListener<ListResourcesResult> listener) {
            settings.onResourcesChanged = Objects.requireNonNull(listener, "listener")::changed;
            return this;
        }

        /** Sets the listener for changes of the prompts. */
        public Builder onPromptsChanged(ListListener<ListPromptsResult> listener) {
            settings.onPromptsChanged = Objects.requireNonNull(listener, "listener")::changed;
            return this;
        }

        /**
         * Sets the listener for updates of all resources, whichever subscription they belong to.
         */
        public Builder onResourceUpdated(ResourceListener listener) {
            settings.onResourceUpdated = Objects.requireNonNull(listener, "listener")::updated;
            return this;
        }

        /**
         * Sets the listener that is called when the server forgot the session and a new one took
         * its place.
         */
        public Builder onNewSession(SessionListener listener) {
            settings.onNewSession = Objects.requireNonNull(listener, "listener")::renewed;
            return this;
        }

        /**
         * Sets the listener for the loss of the connection: the process has ended, the stream has
         * closed, or the pings of {@link #keepAlive} were not answered. A server over HTTP that
         * cannot be reached shows only by those pings, and by requests that fail.
         *
         * <p>A session ends with its connection. A process of revision 2026-07-28 is started again
         * by the next request, or at once where this client listens to its changes, at most three
         * times a minute; the listener is called for each process that ends.
         */
        public Builder onConnectionLost(ConnectionListener listener) {
            settings.onConnectionLost = Objects.requireNonNull(listener, "listener")::lost;
            return this;
        }

        /**
         * Does not open a new session when the server has forgotten this one: its requests then
         * fail with {@link dev.fairlead.protocol.SessionExpiredException}. By default one takes its
         * place, with the same log level and subscriptions, and the request that was refused is
         * sent once more.
         */
        public Builder failOnExpiredSession() {
            settings.failOnExpiredSession = true;
            return this;
        }

        /**
         * Answers requests of the server that the protocol does not know.
         *
         * @throws IllegalArgumentException if the protocol knows the method
         */
        public Builder onRequest(String method, RequestHandler handler) {
            settings.onRequest.put(
                    ServerMethods.own(method), Objects.requireNonNull(handler, "handler")::handle);
            return this;
        }

        /**
         * Sets the listener for notifications of one method that the protocol does not know.
         *
         * @throws IllegalArgumentException if the protocol knows the method
         */
        public Builder onNotification(String method, NotificationListener listener) {
            settings.onNotification.put(
                    ServerMethods.own(method),
                    Objects.requireNonNull(listener, "listener")::notified);
            return this;
        }

        /**
         * Declares an extension of the protocol that your code supports, such as {@code
         * io.modelcontextprotocol/ui}. Tasks are declared by {@link #acceptTasks}.
         *
         * @param values its settings; empty for none
         */
        public Builder extension(String id, JsonObject values) {
            settings.extensions = settings.extensions.with(id, values);
            return this;
        }

        /** Declares a capability that is not of the protocol. */
        public Builder experimental(String name, JsonObject capability) {
            settings.experimental = settings.experimental.with(name, capability);
            return this;
        }

        /**
         * Wraps these around every request to the server, the first outermost; adds to those set
         * before.
         */
        public Builder intercept(Interceptor... interceptors) {
            settings.outbound.addAll(List.of(interceptors));
            return this;
        }

        /**
         * Wraps these around the handling of every request of the server, the first outermost; adds
         * to those set before.
         */
        public Builder interceptInbound(Interceptor... interceptors) {
            settings.inbound.addAll(List.of(interceptors));
            return this;
        }

        /**
         * How long to wait for an answer without progress, also while connecting; 30 seconds by
         * default. The timeout is paused while a handler of this client answers the server, so a
         * person may take up to {@link #maxTotalTimeout}.
         */
        public Builder requestTimeout(Duration timeout) {
            settings.requestTimeout = Checks.positive(timeout, "requestTimeout");
            return this;
        }

        /**
         * Sets how long a server over a pipe may take to answer {@code server/discover} before
         * {@code initialize} is sent as well; 5 seconds by default. If that is answered first, the
         * answer to {@code server/discover} still counts if it comes within a second, or within
         * this time if it is shorter. Over HTTP {@link #requestTimeout} holds.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder probeTimeout(Duration timeout) {
            settings.probeTimeout = Checks.positive(timeout, "probeTimeout");
            return this;
        }

        /**
         * Sets how often a server may ask for input before a call of revision 2026-07-28 ends; 10
         * times by default. Beyond that the call fails with {@link TooManyRoundsException}.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder maxRounds(int rounds) {
            settings.maxRounds = Checks.positive(rounds, "maxRounds");
            return this;
        }

        /**
         * Sets how long to wait for an answer at most, also with progress, over all requests of one
         * call; 10 minutes by default. Since revision 2026-07-28 the time in which handlers answer
         * does not count.
         */
        public Builder maxTotalTimeout(Duration limit) {
            settings.maxTotalTimeout = Checks.positive(limit, "maxTotalTimeout");
            return this;
        }

        /**
         * Pings the server at intervals; off by default. Over HTTP pings are also sent at once, and
         * every second, when a stream of the server broke off and cannot be opened again, until one
         * is answered or {@code failures} were not.
         *
         * @param interval between the end of a ping and the next, and how long one may take at most
         * @param failures after so many failed pings in a row the connection is lost: it is closed,
         *     and requests under way fail
         */
        public Builder keepAlive(Duration interval, int failures) {
            settings.keepAlive = Checks.positive(interval, "interval");
            settings.keepAliveFailures = Checks.positive(failures, "failures");
            return this;
        }

        /** Connects with the first request only. */
        public Builder lazy() {
            settings.lazy = true;
            return this;
        }

        /**
         * Accepts structured content that breaks the output schema of its tool, with a warning in
         * the log; by default such a call fails.
         */
        public Builder allowInvalidStructuredContent() {
            settings.lenient = true;
            return this;
        }

        /**
         * Limits the methods that read all pages of a list: 1,000 pages and 100,000 items by
         * default. The limit of bytes stays as it is.
         */
        public Builder listLimits(int pages, int items) {
            return listLimits(pages, items, settings.maxListBytes);
        }

        /**
         * Limits the methods that read all pages of a list: 1,000 pages, 100,000 items and 16 MiB
         * by default. Beyond any of them they throw {@link
         * dev.fairlead.protocol.InvalidResultException}.
         *
         * @param pages above zero
         * @param items above zero
         * @param bytes of the results of all pages, above zero
         */
        public Builder listLimits(int pages, int items, long bytes) {
            settings.maxPages = Checks.positive(pages, "pages");
            settings.maxItems = Checks.positive(items, "items");
            settings.maxListBytes = Checks.positive(bytes, "bytes");
            return this;
        }

        /**
         * Sets the most bytes of notifications that wait for each listener, as they lie in memory;
         * 4 MiB by default. Beyond that the oldest are dropped, as beyond 1,000 notifications; a
         * single one may exceed it alone.
         *
         * @throws IllegalArgumentException if not positive
         */
        public Builder maxListenerBytes(long bytes) {
            settings.maxListenerBytes = Checks.positive(bytes, "maxListenerBytes");
            return this;
        }

        /**
         * Sets the most bytes of results that are kept because the server allows it, since revision
         * 2026-07-28; 16 MiB by default, 0 for none. Beyond that the result that was not used for
         * longest is dropped.
         *
         * @throws IllegalArgumentException if negative
         */
        public Builder maxCacheBytes(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException(
                        "maxCacheBytes must be 0 or more but was " + bytes);
            }
            settings.maxCacheBytes = bytes;
            return this;
        }

        /**
         * Lets servers of revision 2026-07-28 make a task of any call of a tool, and waits for the
         * task as for a plain call. Without it a call declares tasks only for {@link
         * RemoteTool#start} and {@link McpRequests#startTool}, and where the server has refused the
         * call because the tool must be a task.
         *
         * @spec https://modelcontextprotocol.io/extensions/tasks/overview Tasks extension
         */
        public Builder acceptTasks() {
            settings.acceptTasks = true;
            return this;
        }

        /**
         * Sets the revisions to speak; all by default.
         *
         * <p>With revision 2026-07-28 among them the client first sends {@code server/discover}. It
         * sends {@code initialize} only if the answer shows that the server does not know this
         * request, or no answer comes over a pipe within {@link #probeTimeout}. The process
         * remembers which kind of server it is. Without an older revision among them the client
         * never sends {@code initialize}.
         *
         * @param oldest the oldest that is accepted from the server
         * @param newest the one that is offered first
         * @throws IllegalArgumentException if the oldest is above the newest
         * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
         *     Versioning
         */
        public Builder revisions(Revision oldest, Revision newest) {
            if (oldest.compareTo(newest) > 0) {
                throw new IllegalArgumentException(
                        "the oldest revision must not be above the newest: "
                                + oldest
                                + ", "
                                + newest);
            }
            settings.oldest = oldest;
            settings.newest = newest;
            return this;
        }

        /**
         * Connects and agrees with the server on a revision; blocks until that is done.
         *
         * @throws dev.fairlead.jsonrpc.ConnectionException if the server cannot be reached
         * @throws dev.fairlead.jsonrpc.RequestTimeoutException if it does not answer in time; the
         *     connection is closed then, {@code initialize} is never cancelled
         * @throws UnsupportedRevisionException if there is no revision that both sides speak
         * @throws dev.fairlead.jsonrpc.JsonRpcException if the server refuses for another reason
         */
        public McpClient connect(Remote remote) throws InterruptedException {
            return connect(remote, Internals.timers(this, TIMERS::open));
        }

        /** Connects by a transport of your own; otherwise as {@link #connect(Remote)}. */
        public McpClient connect(Connector connector) throws InterruptedException {
            return connect(new PipeRemote(connector));
        }

        McpClient connect(Remote remote, Timers timers) throws InterruptedException {
            Objects.requireNonNull(remote, "remote");
            settings.member = Internals.member(this);
            return LiveClient.open(settings.copy(), remote, timers);
        }
    }
}
