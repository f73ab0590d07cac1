package dev.fairlead.protocol.relay;

import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;

/**
 * Runs handlers: on a thread that has other work before and after, or on one of their own. No
 * thread that is made here inherits thread-local values, since the current thread may still have
 * those that an earlier handler left in an {@link InheritableThreadLocal}.
 */
public final class HandlerThread {
    private static final System.Logger LOGGER = System.getLogger(HandlerThread.class.getName());

    private HandlerThread() {}

    /**
     * Makes a thread that inherits the context class loader of the current one, and no thread-local
     * values.
     */
    public static Thread unstarted(Thread.Builder builder, Runnable task) {
        Thread thread = builder.inheritInheritableThreadLocals(false).unstarted(task);
        // without inheritance it would be that of the system
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        return thread;
    }

    /**
     * Runs a handler on a virtual thread of its own, which inherits as {@link #unstarted} says.
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
            Thread.interrupted(); // it was for the handler
            if (thread.getContextClassLoader() != loader) {
                thread.setContextClassLoader(loader);
            }
        }
    }
}
