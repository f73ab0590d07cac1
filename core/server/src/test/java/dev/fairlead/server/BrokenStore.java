package dev.fairlead.server;

import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** A store that does nothing but fail. */
final class BrokenStore {
    private BrokenStore() {}

    static TaskStore broken() {
        return (TaskStore)
                Proxy.newProxyInstance(
                        BrokenStore.class.getClassLoader(),
                        new Class<?>[] {TaskStore.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "open", "close" -> null;
                                    case "sweepInterval" -> Optional.empty();
                                    case "blocks" -> true;
                                    default ->
                                            throw new TaskStoreException(
                                                    "the disk is full", new IOException("full"));
                                });
    }
}
