package dev.fairlead.testing;

import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskStore;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A store whose answers arrive late: a task may have changed since it was read. Thread-safe. */
final class HeldTaskStore {
    private static final long PATIENCE_SECONDS = 30;

    private final TaskStore real;
    private final Predicate<Thread> held;
    private final BlockingQueue<Thread> readers = new LinkedBlockingQueue<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile @Nullable TaskNode node;

    /**
     * Holds the answers of {@link TaskStore#find} back.
     *
     * @param held which threads must wait for them
     */
    HeldTaskStore(TaskStore real, Predicate<Thread> held) {
        this.real = real;
        this.held = held;
    }

    /** The node that has opened the store. */
    TaskNode node() {
        return Objects.requireNonNull(node, "the store was not opened");
    }

    /** Waits until a task was read; gives the thread that does not have the answer yet. */
    Thread awaitRead() throws InterruptedException {
        Thread reader = readers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return Objects.requireNonNull(reader, "no task was read");
    }

    void release() {
        released.countDown();
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
        if (method.getName().equals("open") && arguments != null) {
            node = (TaskNode) arguments[0];
        }
        Object answer;
        try {
            answer = method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (method.getName().equals("find") && held.test(Thread.currentThread())) {
            readers.add(Thread.currentThread());
            released.await();
        }
        return answer;
    }
}
