package dev.fairlead.http.loop;

import dev.fairlead.protocol.time.LimitedLog;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts connections and gives them to the loops in turn, as long as there are not too many.
 * Belongs to the first loop, but for the count.
 */
final class Acceptor implements Loop.Registered {
    private static final System.Logger LOGGER = System.getLogger(Acceptor.class.getName());

    /** How many are accepted before connections get their turn. */
    private static final int AT_ONCE = 64;

    /** How long nothing is accepted after that has failed, as it does without descriptors. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final ServerSocketChannel channel;
    private final Port port;
    private final List<Loop> loops;
    private final int most;
    private final AtomicInteger open = new AtomicInteger();
    private final SelectionKey key;
    private int next;
    private long pausedAt;
    private boolean paused;

    /**
     * @param most how many connections may be open
     */
    Acceptor(ServerSocketChannel channel, Port port, List<Loop> loops, int most)
            throws IOException {
        this.channel = channel;
        this.port = port;
        this.loops = loops;
        this.most = most;
        this.key = loops.get(0).register(channel, SelectionKey.OP_ACCEPT, this);
    }

    @Override
    public void ready() {
        acceptSome();
    }

    /** Returns whether more may wait. */
    private boolean acceptSome() {
        for (int i = 0; i < AT_ONCE; i++) {
            if (open.get() >= most) {
                full();
                return false;
            }
            try {
                SocketChannel accepted = channel.accept();
                if (accepted == null) {
                    return false;
                }
                open.incrementAndGet();
                port.unasked().requested();
                open(accepted);
            } catch (IOException | RuntimeException | Error e) { // the port stays open
                pause(e);
                return false;
            }
        }
        return true;
    }

    /** Accepts the connections that wait, unless there are too many, and then no more. */
    void acceptLast() {
        int turns = Port.BACKLOG / AT_ONCE;
        while (turns > 0 && acceptSome()) {
            turns--;
        }
        close(new ClosedChannelException());
    }

    private void full() {
        key.interestOps(0);
        if (open.get() < most) { // one was closed meanwhile
            accept();
        }
    }

    private void pause(Throwable cause) {
        if (channel.isOpen()) {
            pausedAt = System.nanoTime();
            paused = true;
            key.interestOps(0);
            LimitedLog.failed(
                    LOGGER,
                    System.Logger.Level.WARNING,
                    "",
                    cause,
                    "A connection could not be accepted");
        }
    }

    private void open(SocketChannel accepted) {
        Loop loop = loops.get(next);
        next = (next + 1) % loops.size();
        try {
            loop.execute(() -> open(accepted, loop));
        } catch (RuntimeException | Error e) {
            drop(accepted);
            throw e;
        }
    }

    private void open(SocketChannel accepted, Loop loop) {
        try {
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            var unused = new LoopConnection(loop, port, accepted);
        } catch (IOException | RuntimeException | Error e) { // most often it is gone already
            drop(accepted);
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.DEBUG, "", e, "A connection was not opened");
        }
    }

    private void drop(SocketChannel accepted) {
        LoopConnection.close(accepted);
        port.unasked().answered();
        closed();
    }

    /** A connection was closed; any thread. */
    void closed() {
        if (open.getAndDecrement() == most) {
            loops.get(0).execute(this::accept);
        }
    }

    private void accept() {
        if (key.isValid() && !paused) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    @Override
    public void check(long now) {
        if (paused && now - pausedAt > PAUSE) {
            paused = false;
        }
        if (open.get() < most) { // the task of a connection that was closed may have had no memory
            accept();
        }
    }

    @Override
    public void close(IOException cause) {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "A port was not closed", e);
        }
    }
}
