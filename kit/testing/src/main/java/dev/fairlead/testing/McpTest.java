package dev.fairlead.testing;

import dev.fairlead.client.McpClient;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.pipe.InProcess;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.server.McpServer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A server under test, with clients in the same process and a clock that the test moves. For use by
 * one thread.
 *
 * {@snippet :
 * try (McpTest test = McpTest.of(Hello.server())) {
 *     assertThat(test.client().tool("greet", Person.class, String.class).call(new Person("Ada")))
 *             .isEqualTo("Hello, Ada!");
 * }
 * }
 */
public final class McpTest implements AutoCloseable {
    private final ManualTimers timers = new ManualTimers();
    private final McpServer.Builder builder;
    private final Lock building = new ReentrantLock();
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private @Nullable Revision revision;
    private @Nullable McpClient client;
    private @Nullable McpServer server;
    private @Nullable SessionHost roaming;
    private final Queue<McpServer> roamed = new ConcurrentLinkedQueue<>();
    private Caller caller = Caller.anonymous();
    private boolean closed;

    private McpTest(McpServer.Builder server) {
        this.builder = server;
    }

    /** Creates a test of a server, which is built when it is first used. */
    public static McpTest of(McpServer.Builder server) {
        return new McpTest(server);
    }

    /**
     * Makes new clients speak this revision and no other. A raw client of a revision without a
     * handshake does not send {@code initialize}: its requests get an {@link RawPeer#envelope
     * envelope}.
     */
    public McpTest revision(Revision only) {
        revision = Objects.requireNonNull(only, "revision");
        return this;
    }

    /**
     * Makes new clients act as this caller, which may have scopes that features require and sees
     * only its own tasks; by default they are anonymous.
     */
    public McpTest caller(Caller caller) {
        this.caller = Objects.requireNonNull(caller, "caller");
        return this;
    }

    /**
     * Starts the handler of a tool again after every answer, in plain calls and in tasks, as after
     * a crash: effects that must not be repeated belong into {@link
     * dev.fairlead.server.handler.Call#once}, and a question that differs in the next run fails the
     * call. Call this before the server is used.
     *
     * @throws IllegalStateException if the server is built already
     */
    public McpTest replaying() {
        requireUnused();
        Internals.replay(builder);
        return this;
    }

    /**
     * Sends each request of the clients to a new server, as behind a load balancer. All servers are
     * built from the same builder, so they have the same keys, and stay open until the test is
     * closed. A call that asks its client continues only with its sealed state. The next request
     * does not find state in the memory of a server, such as a call of a tool that {@linkplain
     * dev.fairlead.server.ToolDeclaration#holdsWhileAsking holds} or a task of {@link
     * dev.fairlead.tasks.Tasks#inMemory}, and fails.
     *
     * <p>Clients speak revision 2026-07-28. The servers share the objects of the handlers, and
     * those of the builder for several nodes: a database of tasks, a {@link
     * dev.fairlead.protocol.changes.ChangeBus}. Call this before the first client is created.
     *
     * @throws IllegalStateException if the server is in use already
     */
    public McpTest roaming() {
        requireUnused();
        roaming =
                new RoamingHost(
                        () -> {
                            McpServer fresh = build();
                            roamed.add(fresh);
                            return fresh;
                        });
        return this;
    }

    /**
     * Returns the server. With {@link #roaming} it is an additional one, which receives no requests
     * and whose changes reach the others by their {@link dev.fairlead.protocol.changes.ChangeBus}
     * alone.
     *
     * @throws IllegalStateException if the test was closed before the server was used
     */
    public McpServer server() {
        McpServer built = server;
        if (built == null) {
            requireOpen();
            built = build();
            server = built;
        }
        return built;
    }

    /** Returns how many servers requests have reached with {@link #roaming}; 0 without it. */
    public int roamedServers() {
        return roamed.size();
    }

    private McpServer build() {
        building.lock(); // requests of several clients come at the same time
        try {
            return Internals.withTimers(builder, timers::share).build();
        } finally {
            building.unlock();
        }
    }

    private void requireUnused() {
        if (server != null || !opened.isEmpty()) {
            throw new IllegalStateException("the server is already in use");
        }
    }

    private SessionHost host() {
        return roaming == null ? server().host() : roaming;
    }

    private @Nullable Revision spoken() {
        if (roaming == null) {
            return revision;
        }
        if (revision != null && revision.era() == Era.HANDSHAKE) {
            throw new IllegalStateException(
                    "Requests of revision "
                            + revision
                            + " belong to a session and cannot meet another server each;"
                            + " roaming() needs revision(Revision.V2026_07_28)");
        }
        return revision == null ? Revision.V2026_07_28 : revision;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the test is closed");
        }
    }

    /**
     * Returns a client without handlers, the same one each time, even if another caller was set
     * since.
     *
     * @throws IllegalStateException if the test is closed
     */
    public McpClient client() throws InterruptedException {
        requireOpen();
        McpClient known = client;
        if (known == null) {
            known = client(McpClient.named("test", "1"));
            client = known;
        }
        return known;
    }

    /**
     * Returns a new client with these settings.
     *
     * @throws IllegalStateException if the test is closed
     */
    public McpClient client(McpClient.Builder settings) throws InterruptedException {
        requireOpen();
        Revision only = spoken();
        if (only != null) {
            settings.revisions(only, only);
        }
        McpClient made =
                Internals.withTimers(settings, timers::share)
                        .connect(new InProcess(host(), caller));
        opened.push(made::close);
        return made;
    }

    /**
     * Returns a raw client without capabilities that can send requests at once.
     *
     * @throws IllegalStateException if the test is closed
     */
    public RawPeer rawClient() {
        return rawClient("{}");
    }

    /**
     * Returns a raw client with these capabilities that can send requests at once: the handshake is
     * done, or its requests have an {@link RawPeer#envelope envelope}, depending on the revision.
     *
     * @param capabilities a JSON object
     * @throws IllegalStateException if the test is closed
     */
    public RawPeer rawClient(String capabilities) {
        Revision only = Objects.requireNonNullElse(spoken(), Revision.NEWEST_WITH_HANDSHAKE);
        RawPeer peer = rawConnection();
        if (only.era() == Era.PER_REQUEST) {
            return peer.envelope(only, capabilities);
        }
        peer.initialize(only, capabilities);
        return peer;
    }

    /**
     * Returns a raw client that has sent nothing yet.
     *
     * @throws IllegalStateException if the test is closed
     */
    public RawPeer rawConnection() {
        requireOpen();
        RawPeer peer = RawPeer.client(host(), caller);
        opened.push(peer::close);
        return peer;
    }

    /**
     * Moves the clock of the server and the clients; actions that are due then run before this
     * method returns, except for those on threads of their own.
     *
     * @param duration zero or more
     * @throws IllegalArgumentException if it is below zero: the clock never runs backwards
     */
    public McpTest advance(Duration duration) {
        timers.advance(duration);
        return this;
    }

    /** Closes the clients, then the servers. */
    @Override
    public void close() {
        closed = true;
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
        roamed.forEach(McpServer::close);
        if (server != null) {
            server.close();
        }
    }
}
