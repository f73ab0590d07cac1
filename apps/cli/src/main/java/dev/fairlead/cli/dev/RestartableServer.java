package dev.fairlead.cli.dev;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server whose connections all end when it is started again; each connection is a process of its
 * own. As an interceptor of the proxy in front of it, it gives calls that were under way an error
 * with the reason. Thread-safe.
 */
final class RestartableServer implements Remote, Interceptor {
    private final Remote program;
    private final Set<Connection> connections = new HashSet<>(); // guarded by this
    private Restart latest = new Restart(0, ""); // guarded by this

    /**
     * A start after a change.
     *
     * @param reason for the calls that it ended
     */
    private record Restart(int number, String reason) {}

    /**
     * @param program starts a process for each connection
     */
    RestartableServer(Remote program) {
        this.program = program;
    }

    /** One connection of a client of the proxy. */
    private final class Connection implements SessionHost, Link {
        private final SessionHost client;
        private volatile @Nullable Session session;
        private volatile @Nullable Link link;

        Connection(SessionHost client) {
            this.client = client;
        }

        @Override
        public Session open(SessionContext context) {
            Session opened = client.open(context);
            session = opened;
            return opened;
        }

        @Override
        public Optional<RequestHost> requests() {
            return client.requests();
        }

        @Override
        public Set<Revision> revisions() {
            return client.revisions();
        }

        /** Fails the requests under way, so that the client connects again. */
        void lose(String reason) {
            Session opened = session;
            if (opened != null) {
                opened.lost(new ConnectionException(reason));
            }
        }

        @Override
        public void close() {
            synchronized (RestartableServer.this) {
                connections.remove(this);
            }
            Link open = link;
            if (open != null) {
                open.close();
            }
        }
    }

    private synchronized Restart latest() {
        return latest;
    }

    @Override
    public Link connect(SessionHost host) throws IOException, InterruptedException {
        return connect(program, host);
    }

    /**
     * Returns another way to the server, whose connections end with the others.
     *
     * @param way starts a process of the same program for each connection
     */
    Remote through(Remote way) {
        return host -> connect(way, host);
    }

    private Link connect(Remote way, SessionHost host) throws IOException, InterruptedException {
        Restart before = latest();
        Connection connection = new Connection(host);
        connection.link = way.connect(connection);
        synchronized (this) {
            if (latest.equals(before)) {
                connections.add(connection);
                return connection;
            }
        }
        connection.close(); // may have read the classes of before
        throw new IOException("the server was started again meanwhile");
    }

    @Override
    public Optional<Object> place() {
        return program.place();
    }

    /**
     * Ends all connections. Returns when their processes have ended.
     *
     * @param reason for the calls under way
     */
    void restart(String reason) {
        List<Connection> ending;
        synchronized (this) {
            latest = new Restart(latest.number + 1, reason);
            ending = new ArrayList<>(connections);
            connections.clear();
        }
        ending.forEach(connection -> connection.lose(reason));
        try (ExecutorService closing =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("fairlead-dev-close").factory())) {
            ending.forEach(connection -> closing.execute(connection::close));
        }
    }

    @Override
    public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
        Restart before = latest();
        try {
            return next.proceed(method);
        } catch (JsonRpcException e) {
            Restart now = latest();
            if (now.equals(before) || e.code() != ErrorCode.INTERNAL_ERROR) {
                throw e;
            }
            throw new JsonRpcException(ErrorCode.INTERNAL_ERROR, now.reason);
        }
    }
}
