package dev.fairlead.client.group;

import dev.fairlead.client.ListListener;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.McpRequests;
import dev.fairlead.peer.builder.InternalOptions;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.time.Backoff;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.Tool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Several servers under one roof: one list of everything they offer, requests that find their
 * server, and connections that come back by themselves. Thread-safe, not for implementing; close it
 * when done.
 *
 * <p>Names of tools and prompts are those of their servers where only one server uses them, and
 * prefixed where several do ({@link Naming}). Once servers have collided over a name, it stays
 * prefixed for all of them, also when one is gone; the plain name that one of them had before still
 * leads there, and is never given to another one as long as that server is in the group. Of a URI
 * that several servers list, the first of them in the order of the group is listed and used; the
 * others can be reached by {@link #server}.
 *
 * <p>A server that cannot be reached, dies or does not answer harms no other: requests to it fail
 * with a {@link ServerUnavailableException}, and it is tried again, after half a second at first
 * and every half minute at last, for as long as it is in the group; also by a request, which waits
 * up to 2 seconds for that, unless the last attempt was less than half a second ago. Its features
 * stay listed for half a minute.
 *
 * <p>Requests block, end and fail as {@link McpRequests} describes. In addition, each throws a
 * {@link ServerUnavailableException}: if the server is not connected, or when the connection is
 * lost during the request; and a {@link dev.fairlead.jsonrpc.JsonRpcException} with {@code -32602}
 * if no server of the group has the item. They find their server as follows:
 *
 * <ul>
 *   <li>Tools and prompts, also those that an argument is completed for, by their names in the
 *       group ({@link #tools}), or by a name that they had earlier.
 *   <li>A resource at the server that lists it, else at one with a template that its URI matches,
 *       else at each server that has resources, in their order, until one knows it.
 *   <li>{@link #setLoggingLevel} at every server that logs, also at those that connect later. It
 *       returns when all connected servers have answered; a refusal is only logged.
 * </ul>
 *
 * <p>A watched resource stays watched when its server is lost and connected again. The listener is
 * then called once, since the resource may have changed in between. A task that was started also
 * continues when its server is lost, but waits of its handle fail with a {@link
 * dev.fairlead.jsonrpc.ConnectionException}. Once the server {@linkplain #awaitConnected is back},
 * {@code server(name).task(id, …)} finds the task; {@link #serverOfTool} returns the name.
 *
 * {@snippet :
 * try (McpClients servers =
 *         McpClients.named("desk", "1.4.0")
 *                 .server("files", Stdio.command("npx", "server-filesystem", "."))
 *                 .server("weather", Http.to("https://weather.example/mcp"))
 *                 .clientDefaults(
 *                         (server, client) ->
 *                                 client.onElicitForm(form -> dialog.fill(server, form)))
 *                 .connect()) {
 *     for (GroupItem<Tool> tool : servers.tools()) {
 *         System.out.println(tool.definition().name() + " of " + tool.server());
 *     }
 *     servers.callTool("forecast", JsonObject.of("city", "Seoul"));
 * }
 * }
 */
public sealed interface McpClients extends McpRequests, AutoCloseable permits LiveGroup {
    /**
     * The settings of a group.
     *
     * @param name of the program, for programs; sent to every server
     * @param version of the program
     */
    static Builder named(String name, String version) {
        return new Builder(new GroupSettings(name, version));
    }

    // ---- features of the servers

    /**
     * The tools of all servers, in the order of the servers. Kept up to date, so that asking again
     * costs nothing; does not block. Lists of a server that does not report changes are read again
     * in the background when they are older than {@link Builder#listAge}.
     */
    List<GroupItem<Tool>> tools();

    /** The resources of all servers, as {@link #tools}. */
    List<GroupItem<Resource>> resources();

    /** The resource templates of all servers, as {@link #tools}. */
    List<GroupItem<ResourceTemplate>> resourceTemplates();

    /** The prompts of all servers, as {@link #tools}. */
    List<GroupItem<Prompt>> prompts();

    /** Returns the capabilities of all servers together. */
    ServerCapabilities serverCapabilities();

    /**
     * Reads all lists of the connected servers again; blocks until that is done. If it fails, the
     * lists stay as they were.
     */
    void refresh() throws InterruptedException;

    // ---- the servers themselves

    /**
     * The client of one server, for everything else. After the server was lost it is another one;
     * never close it.
     *
     * @throws ServerUnavailableException if it is not connected
     * @throws IllegalArgumentException if no server has this name
     */
    McpClient server(String name);

    /**
     * Returns the name of the server that a tool belongs to. A task id is unique only at its
     * server, so a program that stores the id of a task stores this name with it.
     *
     * @param tool its name in the group, or one that it had earlier
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if no server of the group has
     *     such a tool
     */
    String serverOfTool(String tool);

    /**
     * Returns the name of the server that a prompt belongs to.
     *
     * @param prompt its name in the group, or one that it had earlier
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if no server of the group has
     *     such a prompt
     */
    String serverOfPrompt(String prompt);

    /**
     * Returns the name of the server that lists a resource, or has a template that its URI matches;
     * empty if there is none, so that each server that has resources may be asked for it.
     */
    Optional<String> serverOfResource(String uri);

    /** How all servers are, in their order. */
    List<ServerStatus> servers();

    /**
     * How a server is.
     *
     * @throws IllegalArgumentException if no server has this name
     */
    ServerStatus status(String server);

    /**
     * Waits until a server is connected.
     *
     * @return false if it was not within the limit
     */
    boolean awaitConnected(String server, Duration limit) throws InterruptedException;

    /**
     * Adds a server; returns at once, and connects to it in the background.
     *
     * @throws IllegalArgumentException as {@link Builder#server}
     * @throws IllegalStateException if the group has its most servers, or is closed
     */
    default void add(String name, Remote remote) throws InterruptedException {
        add(name, remote, client -> {});
    }

    /** Adds a server with options of its own, otherwise as {@link #add(String, Remote)}. */
    void add(String name, Remote remote, Consumer<McpClient.Builder> options)
            throws InterruptedException;

    /**
     * Removes a server and ends its connection; blocks until that is done.
     *
     * @throws IllegalArgumentException if no server has this name
     */
    void remove(String server) throws InterruptedException;

    /**
     * Replaces the roots and notifies every connected server.
     *
     * @throws IllegalStateException if no roots were declared by {@link Builder#roots}
     */
    void replaceRoots(Root... roots);

    /**
     * Notifies every connected server that the roots changed.
     *
     * @throws IllegalStateException if a connected server has a client that declares no roots
     */
    void rootsChanged();

    /**
     * Ends all connections, each as {@link McpClient#close} does and all at the same time; blocks
     * until that is done. May be called from any thread and more than once.
     */
    @Override
    void close();

    /** Collects the settings of a group. Not thread-safe; may be used for several groups. */
    final class Builder extends InternalOptions {
        private final GroupSettings settings;
        private final List<Entry> servers = new ArrayList<>();

        record Entry(String name, Remote remote, Consumer<McpClient.Builder> options) {}

        private Builder(GroupSettings settings) {
            this.settings = settings;
        }

        /**
         * Adds a server. The order of the servers is that of the lists, and decides which server
         * has a URI.
         *
         * @param name of the server in the group: in prefixes, errors and for {@link #server}; 1 to
         *     64 characters
         * @throws IllegalArgumentException if another server has the name
         */
        public Builder server(String name, Remote remote) {
            return server(name, remote, client -> {});
        }

        /**
         * Adds a server with options of its own.
         *
         * @param options runs for each connection, after {@link #clientDefaults}; the listeners for
         *     changed lists and for the loss of the connection are the group's and must not be set
         */
        public Builder server(String name, Remote remote, Consumer<McpClient.Builder> options) {
            if (servers.stream().anyMatch(entry -> entry.name().equals(name))) {
                throw new IllegalArgumentException(
                        "a server with this name is in the group already: " + name);
            }
            servers.add(
                    new Entry(
                            checked(name),
                            Objects.requireNonNull(remote, "remote"),
                            Objects.requireNonNull(options, "options")));
            return this;
        }

        static String checked(String name) {
            if (Objects.requireNonNull(name, "name").isBlank() || name.length() > 64) {
                throw new IllegalArgumentException(
                        "the name of a server must have 1 to 64 characters"
                                + (name.isBlank() ? "" : " but was " + name));
            }
            return name;
        }

        /**
         * Sets options for the client of every server: handlers, titles, time limits, interceptors.
         * By default servers are pinged every 30 seconds and count as lost after three pings. A
         * second call replaces the options of the first.
         *
         * @param options runs for each connection, with the name of the server in the group. The
         *     group sets {@link McpClient.Builder#onToolsChanged}, {@code onResourcesChanged},
         *     {@code onPromptsChanged}, {@code onNewSession} and {@code onConnectionLost} itself
         */
        public Builder clientDefaults(BiConsumer<String, McpClient.Builder> options) {
            settings.clientDefaults = Objects.requireNonNull(options, "options");
            return this;
        }

        /** How names look; {@link Naming#DEFAULT} unless set. */
        public Builder naming(Naming naming) {
            settings.naming = Objects.requireNonNull(naming, "naming");
            return this;
        }

        /**
         * Sets the roots for all servers, until {@link McpClients#replaceRoots}. For roots of each
         * server, set {@link McpClient.Builder#onRoots} in {@link #clientDefaults}.
         */
        public Builder roots(Root... roots) {
            settings.roots = List.of(roots);
            return this;
        }

        /**
         * Asks every server that logs for messages of this level and above, until {@link
         * McpClients#setLoggingLevel}; otherwise servers choose.
         */
        public Builder loggingLevel(LoggingLevel level) {
            settings.level = Objects.requireNonNull(level, "level");
            return this;
        }

        /** Sets the listener for changes of the list of {@link McpClients#tools}. */
        public Builder onToolsChanged(ListListener<List<GroupItem<Tool>>> listener) {
            settings.onToolsChanged = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Sets the listener for changes of the resources or the resource templates. */
        public Builder onResourcesChanged(ListListener<List<GroupItem<Resource>>> listener) {
            settings.onResourcesChanged = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Sets the listener for changes of the prompts. */
        public Builder onPromptsChanged(ListListener<List<GroupItem<Prompt>>> listener) {
            settings.onPromptsChanged = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Sets the listener for the status of the servers. */
        public Builder onStatus(StatusListener listener) {
            settings.onStatus = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * How long {@link #connect} waits for servers that are slow; 10 seconds unless set. They
         * join when they are there.
         */
        public Builder connectWait(Duration limit) {
            settings.connectWait = Checks.positive(limit, "connectWait");
            return this;
        }

        /**
         * How long to wait before a lost server is tried again: up to {@code first}, then twice as
         * long each time, up to {@code longest}; half a second and 30 seconds unless set. A request
         * to it tries at once if the last attempt began {@code first} ago or earlier.
         */
        public Builder reconnect(Duration first, Duration longest) {
            settings.backoff = new Backoff(first, longest);
            return this;
        }

        /** Sets how long the features of a lost server stay listed; 30 seconds unless set. */
        public Builder keepLists(Duration limit) {
            settings.keepLists = Checks.positive(limit, "keepLists");
            return this;
        }

        /**
         * How old lists may become whose changes the server does not report; a minute unless set.
         */
        public Builder listAge(Duration limit) {
            settings.listAge = Checks.positive(limit, "listAge");
            return this;
        }

        /** How many servers there may be; 100 unless set. */
        public Builder maxServers(int servers) {
            settings.maxServers = Checks.positive(servers, "maxServers");
            return this;
        }

        /**
         * Connects to all servers at the same time; returns when each is connected or has failed
         * once, at the latest after {@link #connectWait}. Never fails because of a server.
         *
         * @throws IllegalStateException if there are more servers than {@link #maxServers}
         */
        public McpClients connect() throws InterruptedException {
            return connect(Internals.timers(this, () -> Timers.system("mcp-group-timers")));
        }

        McpClients connect(Timers timers) throws InterruptedException {
            return LiveGroup.open(settings.copy(), List.copyOf(servers), timers);
        }
    }
}
