package dev.fairlead.protocol.relay;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;

/** Runs a handler on a thread that has other work before and after it. */
public final class HandlerThread {
    private static final System.Logger LOGGER = System.getLogger(HandlerThread.class.getName());

    private HandlerThread() {}

    /**
     * Runs a handler on the current thread. The interrupted state is clear and the name is set
     * before the handler starts. When it has ended, the interrupted state is clear, and the context
     * class loader is the one of before; the name stays until the next handler, since changing it
     * has a cost. What the handler throws is logged.
     *
     * @param name the name of the thread while the handler runs
     */
    public static void run(String name, Runnable handler) {
        Thread thread = Thread.currentThread();
        @Nullable ClassLoader loader = thread.getContextClassLoader();
        Thread.interrupted();
        if (!thread.getName().equals(name)) {
            thread.setName(name);
        }
        try {
            handler.run();
        } catch (Throwable e) {
            LOGGER.log(Level.ERROR, name + " failed", e);
        } finally {
            Thread.interrupted(); // it was for the handler
            if (thread.getContextClassLoader() != loader) {
                thread.setContextClassLoader(loader);
            }
        }
    }
}
