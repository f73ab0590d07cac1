package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Dialect;
import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.SessionStore;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The node that owns the sessions and streams of one store. It joins when it is first needed. On
 * PostgreSQL heartbeats renew its lease; on SQLite the lock of the file shows whether its process
 * is alive. Thread-safe.
 */
final class EventNode {
    private static final Logger LOG = System.getLogger(EventNode.class.getName());

    /** Keeps apart nodes with tasks and with sessions in spaces of the same name. */
    private static final String PREFIX = "events:";

    /** How long a dead node is still known; an unknown one counts as dead too. */
    private static final Duration DEAD_NODES = Duration.ofMinutes(1);

    private final EventAccess access;
    private final NodeTable nodes;
    private final Heartbeat heartbeat;
    private final List<Runnable> fenced = new CopyOnWriteArrayList<>();
    private final ReentrantLock joining = new ReentrantLock();
    private int users; // guarded by joining, as are the address and the beating
    private @Nullable String address;
    private Heartbeat.@Nullable Member beating;
    private volatile @Nullable Membership membership;

    EventNode(Engine engine, String space, Heartbeat heartbeat) {
        this.access = new EventAccess(engine, PREFIX + space);
        this.nodes = new NodeTable(access);
        this.heartbeat = heartbeat;
    }

    /** Returns the incarnation of the node; joins if that has not been done. */
    long id() {
        Membership joined = membership;
        return (joined == null ? join() : joined).incarnation();
    }

    private Membership join() {
        joining.lock();
        try {
            Membership joined = membership;
            if (joined == null) {
                joined = new Membership(access, nodes, UUID.randomUUID().toString(), this::fence);
                if (address != null) {
                    joined.announce(address);
                }
                membership = joined;
                if (access.engine().dialect() == Dialect.POSTGRES) {
                    beating = heartbeat.add(joined, events -> {});
                }
            }
            return joined;
        } finally {
            joining.unlock();
        }
    }

    private void fence() {
        fenced.forEach(Runnable::run);
    }

    /** Announces the address at which other nodes reach this one, now and when it joins again. */
    private void announce(String reached) {
        joining.lock();
        try {
            address = reached;
            if (membership != null) {
                membership.announce(reached);
            }
        } finally {
            joining.unlock();
        }
        id(); // other nodes look it up
    }

    /** Returns the part of a server in the node. */
    SessionStore.Membership entered(Runnable whenFenced) {
        enter(whenFenced);
        return new SessionStore.Membership() {
            @Override
            public long node() {
                return id();
            }

            @Override
            public void announce(String reached) {
                EventNode.this.announce(reached);
            }

            @Override
            public void drain() {
                long own = id();
                access.write(s -> nodes.drain(s, own));
            }

            @Override
            public Optional<SessionStore.Owner> another() {
                long own = id();
                return access.read(s -> nodes.another(s, own));
            }

            @Override
            public List<SessionStore.Owner> living() {
                return access.read(nodes::reachable);
            }

            @Override
            public Instant time() {
                return access.databaseTime();
            }

            @Override
            public void close() {
                exit(whenFenced);
            }
        };
    }

    /** Adds a server that uses the node; the node leaves with the last one. */
    private void enter(Runnable whenFenced) {
        joining.lock();
        try {
            users++;
            fenced.add(whenFenced);
        } finally {
            joining.unlock();
        }
    }

    /** Removes a server that used the node. */
    private void exit(Runnable whenFenced) {
        joining.lock();
        try {
            if (fenced.remove(whenFenced) && --users == 0) {
                leave();
            }
        } finally {
            joining.unlock();
        }
    }

    /** Leaves, so that other nodes take its sessions over at once. It can join again. */
    void leave() {
        joining.lock();
        try {
            if (beating != null) {
                beating.close();
                beating = null;
            }
            if (membership != null) {
                membership.leave();
            }
        } catch (EventStoreException e) {
            LOG.log(Level.WARNING, "The lease of this node stays until it expires", e);
        } finally {
            membership = null;
            joining.unlock();
        }
    }

    /** Forgets nodes that died longer ago. */
    void forgetDead() {
        access.write(s -> nodes.forgetDead(s, DEAD_NODES));
    }
}
