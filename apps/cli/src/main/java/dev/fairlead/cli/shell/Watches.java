package dev.fairlead.cli.shell;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.Subscription;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The resources that the user watches. Used by the thread that reads lines. */
final class Watches {
    private final Map<String, Subscription> subscriptions = new LinkedHashMap<>();
    private final Consumer<String> changed;

    /**
     * @param changed receives the URI of a resource that changed, on threads of the client
     */
    Watches(Consumer<String> changed) {
        this.changed = changed;
    }

    List<String> begin(ClientRequests server, String uri) throws InterruptedException {
        if (subscriptions.containsKey(uri)) {
            return List.of("Already watching " + uri);
        }
        subscriptions.put(uri, server.watch(uri, changed::accept));
        return List.of("Watching " + uri);
    }

    List<String> end(String uri) {
        Subscription subscription = subscriptions.remove(uri);
        if (subscription == null) {
            throw new ShellUsageException("not watching " + uri);
        }
        subscription.close();
        return List.of("Stopped watching " + uri);
    }

    Collection<String> uris() {
        return List.copyOf(subscriptions.keySet());
    }
}
