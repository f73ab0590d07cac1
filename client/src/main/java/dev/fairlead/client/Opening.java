package dev.fairlead.client;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionHost;
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
final class Opening {
    private final CompletableFuture<Link> outcome = new CompletableFuture<>();

    private Opening() {}

    /**
     * Connects.
     *
     * @throws ConnectionException if the server cannot be reached
     * @throws RequestTimeoutException if that takes too long
     */
    static Link open(Remote remote, SessionHost host, Duration timeout, Timers timers)
            throws InterruptedException {
        Opening opening = new Opening();
        Thread thread =
                Thread.ofVirtual().name("mcp-connect").start(() -> opening.run(remote, host));
        Timers.Timer timer =
                timers.schedule(
                        timeout,
                        () ->
                                opening.fail(
                                        new RequestTimeoutException(
                                                "no connection within " + timeout)));
        try {
            return opening.outcome.get();
        } catch (ExecutionException e) {
            thread.interrupt();
            throw asCallException(e.getCause());
        } catch (InterruptedException e) {
            opening.fail(new ConnectionException("the caller no longer waits"));
            thread.interrupt();
            throw e;
        } finally {
            timer.cancel();
        }
    }

    private void fail(CallException why) {
        outcome.completeExceptionally(why);
    }

    private void run(Remote remote, SessionHost host) {
        try {
            Link link = remote.connect(host);
            if (!outcome.complete(link)) {
                link.close(); // too late: nobody wants it any more
            }
        } catch (IOException e) {
            outcome.completeExceptionally(
                    new ConnectionException("the server cannot be reached: " + e.getMessage(), e));
        } catch (InterruptedException e) {
            outcome.completeExceptionally(new ConnectionException("connecting was interrupted", e));
        } catch (RuntimeException | Error e) {
            outcome.completeExceptionally(e);
        }
    }

    private static RuntimeException asCallException(@Nullable Throwable cause) {
        if (cause instanceof CallException call) {
            return call;
        }
        return new ConnectionException("connecting failed: " + cause, cause);
    }
}
