package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Unanswered;
import dev.fairlead.protocol.time.Uninterruptibly;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/**
 * A server in the same process: messages are passed as objects, without bytes. Each connection is a
 * session of its own at the server.
 *
 * <p>Two virtual threads belong to a connection, one for each direction. A sender never runs the
 * other side's code: it could hold locks, or carry an interrupt.
 *
 * @param server opens the sessions of the server
 * @param caller the caller of the clients
 */
public record InProcess(SessionHost server, Caller caller) implements Remote {
    private static final System.Logger LOGGER = System.getLogger(InProcess.class.getName());
    private static final PipeSettings SETTINGS = PipeSettings.named("memory");

    public InProcess {
        Objects.requireNonNull(server, "server");
        Objects.requireNonNull(caller, "caller");
    }

    /** Creates a connection for unknown callers. */
    public InProcess(SessionHost server) {
        this(server, Caller.anonymous());
    }

    @Override
    public Link connect(SessionHost client) {
        return new Pair(server, caller, client);
    }

    /**
     * One connection of two ends, each of which carries the messages of its session to the other.
     */
    private static final class Pair implements Link {
        private final Outbox toServer =
                new Outbox(SETTINGS.queuedMessages(), SETTINGS.queuedBytes());
        private final Outbox toClient =
                new Outbox(SETTINGS.queuedMessages(), SETTINGS.queuedBytes());
        private final CountDownLatch carriers = new CountDownLatch(2);

        Pair(SessionHost serverHost, Caller caller, SessionHost clientHost) {
            End server = new End(this, toClient, serverHost, caller);
            End client;
            try {
                client = new End(this, toServer, clientHost, Caller.anonymous());
            } catch (RuntimeException | Error e) {
                server.session.close();
                throw e;
            }
            Thread.ofVirtual().name("mcp-memory-to-server").start(() -> carry(toServer, server));
            Thread.ofVirtual().name("mcp-memory-to-client").start(() -> carry(toClient, client));
        }

        private void carry(Outbox outbox, End to) {
            try {
                boolean another = true;
                while (another) {
                    another = carryBurst(outbox, to);
                }
            } catch (RuntimeException | Error e) { // of a session; the connection ends
                LimitedLog.failed(LOGGER, Level.ERROR, "", e, "A connection in memory has failed");
            } finally {
                try {
                    end();
                    to.session.close();
                } finally { // also without memory: close() waits for it
                    carriers.countDown();
                }
            }
        }

        /** Delivers all queued messages. Returns false once the outbox is closed. */
        private static boolean carryBurst(Outbox outbox, End to) {
            List<JsonRpcMessage> burst = outbox.take();
            for (JsonRpcMessage message : burst) {
                try {
                    Handover.accept(to.session, message, to.exchange);
                } catch (VirtualMachineError e) { // the others of the burst follow
                    LimitedLog.failed(
                            LOGGER, Level.ERROR, "", e, "A message could not be handed over");
                }
            }
            return !burst.isEmpty();
        }

        /** Accepts no more messages; queued messages are still delivered. */
        void end() {
            toServer.close();
            toClient.close();
        }

        @Override
        public void close() {
            end();
            Uninterruptibly.await(carriers::await);
        }
    }

    /** One side of a connection. */
    private static final class End implements SessionContext {
        private final Pair pair;
        private final Outbox outbox;
        private final Caller caller;
        private final PipeExchange exchange = new PipeExchange(this, new Unanswered());
        private final Session session;

        /**
         * @param caller the caller at the other end
         */
        End(Pair pair, Outbox outbox, SessionHost host, Caller caller) {
            this.pair = pair;
            this.outbox = outbox;
            this.caller = caller;
            this.session = host.open(this);
        }

        @Override
        public void send(JsonRpcMessage message) {
            switch (outbox.put(message, SETTINGS.sendTimeout())) {
                case TAKEN, WITHDRAWN -> {}
                case CLOSED -> throw new ConnectionException("the connection is closed");
                case FULL -> {
                    pair.end();
                    throw new ConnectionException("the peer takes no more messages");
                }
            }
        }

        @Override
        public boolean isReachable() {
            return outbox.isOpen();
        }

        @Override
        public Caller caller() {
            return caller;
        }

        @Override
        public String transport() {
            return SETTINGS.name();
        }

        @Override
        public void close() {
            pair.end();
        }
    }
}
