package dev.fairlead.console.workbench;

import dev.fairlead.json.JsonString;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;

import java.util.HashMap;
import java.util.Map;

/**
 * The handlers that run for calls of pages, where the server is in this process. A client learns of
 * a cancelled call nothing more; here the end of its handler is known. Thread-safe.
 */
final class Handlers implements Interceptor {
    /** The member of {@code _meta} with the name of a call. */
    static final String NAME = "dev.fairlead.console/call";

    private final Map<String, Integer> running = new HashMap<>(); // guarded by this

    /** Watches for handlers of a call. */
    synchronized void expect(String name) {
        running.put(name, 0);
    }

    synchronized void forget(String name) {
        running.remove(name);
        notifyAll();
    }

    /** Waits until no handler of a call runs. */
    synchronized void awaitEnded(String name) throws InterruptedException {
        while (running.getOrDefault(name, 0) > 0) {
            wait();
        }
    }

    @Override
    public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
        return counted(method, next);
    }

    @Override
    public Outcome<?> interceptRun(MethodCall method, Next next) throws Exception {
        return counted(method, next);
    }

    private Outcome<?> counted(MethodCall method, Next next) throws Exception {
        if (!(method.meta().get(NAME) instanceof JsonString name) || !change(name.value(), 1)) {
            return next.proceed(method);
        }
        try {
            return next.proceed(method);
        } finally {
            change(name.value(), -1);
        }
    }

    private synchronized boolean change(String name, int by) {
        boolean isExpected = running.computeIfPresent(name, (same, count) -> count + by) != null;
        notifyAll();
        return isExpected;
    }
}
