package dev.fairlead.testing;

import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose disk is full whenever the test wants. Thread-safe. */
final class FailingTaskStore {
    private static final Set<String> ALWAYS_WORKING =
            Set.of("open", "close", "sweepInterval", "blocks");

    private final TaskStore real;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean down;

    FailingTaskStore(TaskStore real) {
        this.real = real;
    }

    /** From here on every call fails and changes nothing. */
    void fail() {
        failures.set(0);
        down = true;
    }

    void recover() {
        down = false;
    }

    /** How many calls have failed since {@link #fail}. */
    int failures() {
        return failures.get();
    }

    TaskStore store() {
        return (TaskStore)
                Proxy.newProxyInstance(
                        TaskStore.class.getClassLoader(),
                        new Class<?>[] {TaskStore.class},
                        (proxy, method, arguments) -> call(method, arguments));
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (down && !ALWAYS_WORKING.contains(method.getName())) {
            failures.incrementAndGet();
            throw new TaskStoreException(
                    "the store failed, as the test wants", new IOException("disk full"));
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
