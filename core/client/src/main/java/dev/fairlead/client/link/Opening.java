package dev.fairlead.client.link;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Opens a connection within a time limit. It happens on a thread of its own: a transport may wait
 * in ways that only an interrupt ends, and that must be an interrupt of this thread and not of the
 * caller's.
 */
public final class Opening {
    private final CompletableFuture<Link> outcome = new CompletableFuture<>();
    private final Thread thread;

    /** Begins to connect. */
    public Opening(Remote remote, SessionHost host) {
        thread = Thread.ofVirtual().name("mcp-connect").start(() -> run(remote, host));
    }

    /**
     * Waits for the connection.
     *
     * @throws ConnectionException if the server cannot be reached
     * @throws RequestTimeoutException if that takes too long
     */
    public Link await(Duration timeout, Timers timers) throws InterruptedException {
        Timers.Timer timer =
                timers.schedule(
                        timeout,
                        () ->
                                abandon(
                                        new RequestTimeoutException(
                                                "no connection within "
                                                        + Durations.text(timeout))));
        try {
            return outcome.get();
        } catch (ExecutionException e) {
            throw callException(e.getCause());
        } catch (InterruptedException e) {
            abandon(new ConnectionException("the caller no longer waits"));
            if (!outcome.isCompletedExceptionally()) { // the connection came in the same moment
                Thread.ofVirtual().name("mcp-close").start(outcome.join()::close);
            }
            throw e;
        } finally {
            timer.cancel();
        }
    }

    /** Gives up; a connection that comes about all the same is closed. Never blocks. */
    public void abandon(CallException why) {
        if (outcome.completeExceptionally(why)) {
            thread.interrupt();
        }
    }

    private void run(Remote remote, SessionHost host) {
        try {
            Link link = remote.connect(host);
            if (!outcome.complete(link)) {
                link.close(); // too late: the caller has given up
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            outcome.completeExceptionally(e);
        }
    }

    /** Creates the exception on the thread of the caller. */
    private static CallException callException(@Nullable Throwable cause) {
        return switch (cause) {
            case CallException call -> call.withCallerStack();
            case IOException e ->
                    new ConnectionException("the server cannot be reached: " + e.getMessage(), e);
            case InterruptedException e -> new ConnectionException("connecting was interrupted", e);
            case null, default -> new ConnectionException("connecting failed: " + cause, cause);
        };
    }
}
