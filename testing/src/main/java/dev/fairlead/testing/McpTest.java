package dev.fairlead.testing;

import dev.fairlead.client.McpClient;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.server.McpServer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

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
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private @Nullable Revision revision;
    private @Nullable McpClient client;
    private @Nullable McpServer server;
    private Caller caller = Caller.anonymous();

    private McpTest(McpServer.Builder server) {
        this.builder = server;
    }

    /** A test of a server, which is built when it is first used. */
    public static McpTest of(McpServer.Builder server) {
        return new McpTest(server);
    }

    /** Has the clients made from now on speak this revision and no other. */
    public McpTest revision(Revision only) {
        revision = Objects.requireNonNull(only, "revision");
        return this;
    }

    /**
     * Has the clients made from now on be this caller, who may have scopes that features require
     * and sees its own tasks only; by default nobody who is known.
     */
    public McpTest caller(Caller who) {
        caller = Objects.requireNonNull(who, "who");
        return this;
    }

    /**
     * Has the body of a tool start again from its beginning after every answer that it gets, in
     * plain calls and in tasks, as it does after a crash: what it must not do twice it says by
     * {@link dev.fairlead.server.handler.Call#once}, and a question that is another one in the next
     * run fails the call. To be called before the server is used.
     *
     * @throws IllegalStateException if the server is built already
     */
    public McpTest replaying() {
        if (server != null) {
            throw new IllegalStateException("the server is already in use");
        }
        Internals.replay(builder);
        return this;
    }

    /** The server. */
    public McpServer server() {
        McpServer built = server;
        if (built == null) {
            built = Internals.withTimers(builder, timers::share).build();
            server = built;
        }
        return built;
    }

    /** A client without handlers, the same one each time, whatever caller was set since. */
    public McpClient client() throws InterruptedException {
        McpClient known = client;
        if (known == null) {
            known = client(McpClient.named("test", "1"));
            client = known;
        }
        return known;
    }

    /** A new client with these settings. */
    public McpClient client(McpClient.Builder settings) throws InterruptedException {
        if (revision != null) {
            settings.revisions(revision, revision);
        }
        McpClient made =
                Internals.withTimers(settings, timers::share).connect(server().inProcess(caller));
        opened.push(made::close);
        return made;
    }

    /** A raw client that has been greeted and has no capabilities. */
    public RawPeer rawClient() {
        return rawClient("{}");
    }

    /** A raw client that has been greeted, with these capabilities, a JSON object. */
    public RawPeer rawClient(String capabilities) {
        RawPeer peer = rawConnection();
        peer.initialize(revision == null ? Revision.NEWEST_WITH_HANDSHAKE : revision, capabilities);
        return peer;
    }

    /** A raw client that has sent nothing yet. */
    public RawPeer rawConnection() {
        RawPeer peer = RawPeer.client(server().host(), caller);
        opened.push(peer::close);
        return peer;
    }

    /**
     * Moves the clock of the server and the clients; what is due then happens before this returns,
     * except for what happens on threads of its own.
     */
    public McpTest advance(Duration duration) {
        timers.advance(duration);
        return this;
    }

    /** Closes the clients, then the server. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
        if (server != null) {
            server.close();
        }
    }
}
