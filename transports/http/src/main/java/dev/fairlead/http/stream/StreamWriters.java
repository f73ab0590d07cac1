package dev.fairlead.http.stream;

import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The connections that are streams of events just now. Safe for use by several threads. */
public final class StreamWriters {
    private final Duration retry;
    private final Duration heartbeat;
    private final InstantSource clock;
    private final StreamWriter.Probes probes;
    private final Set<StreamWriter> open = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition gone = lock.newCondition();

    /**
     * @param retry how long clients should wait before they reconnect
     * @param heartbeat how long a stream may be silent
     * @param clock for the time of the last write
     * @param timers for the second comment of a check
     */
    public StreamWriters(Duration retry, Duration heartbeat, InstantSource clock, Timers timers) {
        this(retry, heartbeat, clock, new StreamWriter.Probes(timers, StreamWriters::startThread));
    }

    StreamWriters(
            Duration retry, Duration heartbeat, InstantSource clock, StreamWriter.Probes probes) {
        this.retry = retry;
        this.heartbeat = heartbeat;
        this.clock = clock;
        this.probes = probes;
    }

    static void startThread(Runnable action) {
        Thread.ofVirtual().name("mcp-http-heartbeat").start(action);
    }

    /**
     * Connects a stream.
     *
     * @param waiting counts the bytes that wait for it; null if they are not counted
     * @param answer begins the answer of the engine
     * @param probing whether the client is to be noticed soon when it leaves
     * @param onGone called once when the connection has ended or failed, with the lost events
     */
    public StreamWriter connect(
            EventStream stream,
            WaitingBytes.@Nullable Share waiting,
            Supplier<ResponseStream> answer,
            boolean probing,
            Consumer<List<OutgoingEvent>> onGone) {
        stream.counted(waiting);
        ResponseStream response;
        try {
            response = answer.get();
        } catch (RuntimeException | Error e) { // of the engine
            stream.counted(null);
            throw e;
        }
        StreamWriter connected =
                new StreamWriter(
                        stream,
                        response,
                        retry,
                        clock,
                        probing ? probes : null,
                        (writer, unwritten) -> {
                            remove(writer);
                            onGone.accept(unwritten);
                        });
        open.add(connected);
        return connected;
    }

    private void remove(StreamWriter writer) {
        open.remove(writer);
        lock.lock();
        try {
            gone.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all is written of the streams that have ended, but not longer than this. */
    public void awaitEnded(Duration limit) throws InterruptedException {
        await(StreamWriter::isEnding, limit);
    }

    /** Waits until none is connected any more, but not longer than this. */
    public void awaitGone(Duration limit) throws InterruptedException {
        await(writer -> true, limit);
    }

    private void await(Predicate<StreamWriter> which, Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (left > 0 && open.stream().anyMatch(which)) {
                left = gone.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops all connections. */
    public void abort() {
        open.forEach(StreamWriter::abort);
    }

    /** Returns how many there are. */
    public int size() {
        return open.size();
    }

    /** Writes a comment on each that was silent for as long as one may be. */
    public void beat() {
        open.forEach(writer -> writer.beat(heartbeat));
    }
}
