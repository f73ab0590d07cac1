package dev.fairlead.protocol.relay;

import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;

/**
 * Runs handlers on the thread that reads requests, or on threads of their own. No thread created
 * here inherits thread-local values, since the current thread may still have those that an earlier
 * handler left in an {@link InheritableThreadLocal}.
 */
public final class HandlerThread {
    private static final System.Logger LOGGER = System.getLogger(HandlerThread.class.getName());

    private HandlerThread() {}

    /**
     * Creates a thread that inherits the context class loader of the current one, and no
     * thread-local values.
     */
    public static Thread unstarted(Thread.Builder builder, Runnable task) {
        Thread thread = builder.inheritInheritableThreadLocals(false).unstarted(task);
        // without inheritance the default is that of the system
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        return thread;
    }

    /**
     * Runs a handler on a virtual thread of its own, which inherits as one of {@link #unstarted}.
     *
     * @throws OutOfMemoryError if the system has no more threads
     */
    public static void start(String name, Runnable handler) {
        unstarted(Thread.ofVirtual().name(name), handler).start();
    }

    /**
     * Runs a handler on the current thread. The interrupted state is clear and the name is set
     * before the handler starts. When it has ended, the interrupted state is clear, and the context
     * class loader is the one of before; the name stays until the next handler, since changing it
     * has a cost. An exception of the handler is logged.
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
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, "{0} failed", name);
        } finally {
            Thread.interrupted(); // the interrupt was for the handler
            if (thread.getContextClassLoader() != loader) {
                thread.setContextClassLoader(loader);
            }
        }
    }
}
