package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A store whose methods fail as configured, before or after their effect; may also take time. */
final class FaultyStore {
    private final TaskStore real;
    private final Set<String> before = ConcurrentHashMap.newKeySet();
    private final Set<String> after = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();
    private final Map<String, Integer> failed = new ConcurrentHashMap<>();
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private volatile boolean interruptedCall;
    private volatile @Nullable TaskNode node;
    private volatile Consumer<String> onCall = method -> {};
    private volatile Consumer<String> onReturn = method -> {};

    FaultyStore(TaskStore real) {
        this.real = real;
    }

    /** These methods fail, and do nothing; all if none is named. */
    void down(String... methods) {
        before.addAll(methods.length == 0 ? Set.of("*") : Set.of(methods));
    }

    /** Makes these methods fail after their effect. */
    void unsure(String... methods) {
        after.addAll(Set.of(methods));
    }

    /** Hears of each call before it is made, on its thread. */
    void onCall(Consumer<String> listener) {
        onCall = listener;
    }

    /** Receives each call after the store has answered it, on its thread. */
    void onReturn(Consumer<String> listener) {
        onReturn = listener;
    }

    void up() {
        before.clear();
        after.clear();
    }

    int failures() {
        return failures.get();
    }

    /** How many calls of one method have failed. */
    int failures(String method) {
        return failed.getOrDefault(method, 0);
    }

    /** Returns how often a method has completed. */
    int calls(String method) {
        return calls.getOrDefault(method, 0);
    }

    /** Returns whether a thread has ever come with its interrupt set. */
    boolean wasCalledInterrupted() {
        return interruptedCall;
    }

    /** The node that has opened the store. */
    TaskNode node() {
        return Objects.requireNonNull(node);
    }

    TaskStore store() {
        return (TaskStore)
                Proxy.newProxyInstance(
                        TaskStore.class.getClassLoader(),
                        new Class<?>[] {TaskStore.class},
                        (proxy, method, args) -> call(method, args));
    }

    private Object call(Method method, Object[] args) throws Throwable {
        interruptedCall |= Thread.currentThread().isInterrupted();
        onCall.accept(method.getName());
        if (method.getName().equals("open")) {
            node = (TaskNode) args[0];
        }
        boolean upkeep = Set.of("open", "close", "sweepInterval").contains(method.getName());
        if (!upkeep && (before.contains("*") || before.contains(method.getName()))) {
            throw failure(method);
        }
        try {
            Object result = method.invoke(real, args);
            calls.merge(method.getName(), 1, Integer::sum);
            onReturn.accept(method.getName());
            if (after.contains(method.getName())) {
                throw failure(method);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private TaskStoreException failure(Method method) {
        failures.incrementAndGet();
        failed.merge(method.getName(), 1, Integer::sum);
        return new TaskStoreException(method.getName() + " failed", new IOException("disk full"));
    }
}
