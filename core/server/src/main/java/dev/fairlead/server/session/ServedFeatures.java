package dev.fairlead.server.session;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.features.DeclaredFeatures;
import dev.fairlead.server.features.DelegatedFeatures;
import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.FeatureProvider;
import dev.fairlead.server.features.FeatureSet;
import dev.fairlead.server.features.ServedMethods;
import dev.fairlead.server.subscriptions.SubscriptionLimits;
import dev.fairlead.server.subscriptions.Subscriptions;
import dev.fairlead.tasks.Tasks;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The features that a server has at the moment, with its capabilities and methods. The lock orders
 * changes and is never held while code of users runs. Thread-safe.
 */
final class ServedFeatures {
    private final ServerSettings settings;
    private final HeldCalls heldCalls;
    private final Subscriptions subscriptions;
    private final ReentrantLock changing = new ReentrantLock();
    private boolean takesTasks; // set under the lock, and for good: tasks outlive their tools
    private volatile Served served;

    /** The features at one moment. */
    private record Served(
            FeatureSet features,
            FeatureProvider provider,
            ServerCapabilities capabilities,
            ServedMethods methods) {}

    ServedFeatures(
            ServerSettings settings, FeatureSet features, HeldCalls heldCalls, Timers timers) {
        this.settings = settings;
        this.heldCalls = heldCalls;
        this.subscriptions =
                new Subscriptions(
                        new SubscriptionLimits(
                                settings.maxListenStreamsPerCaller,
                                settings.loopbackListenStreams,
                                settings.maxListenStreams,
                                settings.maxSubscriptions),
                        timers,
                        this::capabilities,
                        (uri, caller) -> provider().isVisible(uri, caller));
        this.served = served(features);
    }

    /** Checks features, and makes their methods. */
    private Served served(FeatureSet fresh) {
        if (settings.listHint.scope() == CacheScope.PUBLIC) {
            fresh.requireSameListsForAll();
        }
        takesTasks = takesTasks || fresh.tools().hasTaskTools();
        FeatureProvider provider = providerOf(fresh);
        return new Served(
                fresh,
                provider,
                provider.capabilities(),
                new ServedMethods(provider, fresh.methods(), settings, subscriptions));
    }

    private FeatureProvider providerOf(FeatureSet fresh) {
        if (settings.delegate == null) {
            return new DeclaredFeatures(fresh, settings, takesTasks, heldCalls);
        }
        if (fresh.hasFeatures()) {
            throw new IllegalStateException(
                    "a server with a delegate has no tools, resources and prompts of its own");
        }
        return new DelegatedFeatures(settings.delegate, heldCalls);
    }

    /**
     * Changes the features, all or, when a change is refused, none.
     *
     * @param canRunTasks whether tools may run as tasks
     */
    FeatureSet.Changed change(List<FeatureChange<?>> steps, boolean canRunTasks) {
        changing.lock();
        try {
            FeatureSet.Changed changed = features().apply(steps);
            if (changed.features().tools().hasTaskTools() && !canRunTasks) {
                throw new IllegalStateException(
                        "a tool that runs as a task needs a server that was made with tasks(…) or"
                                + " with such a tool");
            }
            served = served(changed.features());
            return changed;
        } finally {
            changing.unlock();
        }
    }

    /** Returns the streams of changes. */
    Subscriptions subscriptions() {
        return subscriptions;
    }

    FeatureSet features() {
        return served.features();
    }

    FeatureProvider provider() {
        return served.provider();
    }

    ServerCapabilities capabilities() {
        return served.capabilities();
    }

    /** Returns the capabilities as far as they hold for one session. */
    ServerCapabilities capabilitiesFor(SessionContext context) {
        ServerCapabilities able = capabilities();
        return listsTasksFor(context)
                ? able
                : able.withTasks(able.tasks().map(known -> known.withList(null)).orElse(null));
    }

    /** Returns whether {@code tasks/list} is declared to a peer. */
    private boolean listsTasksFor(SessionContext context) {
        boolean known =
                !context.caller().isAnonymous() || !(context.owner() instanceof Owner.Anonymous);
        Tasks wanted = settings.tasks;
        return known
                || (wanted != null
                        && wanted.listsForAnonymous()
                        && context.assumedRevision().isEmpty());
    }

    /** Returns whether the server has the features of a method at the moment. */
    boolean offers(String method) {
        return offers(method, capabilities());
    }

    /** Returns whether a server with capabilities has the features of a method. */
    static boolean offers(String method, ServerCapabilities able) {
        if (method.startsWith("tools/")) {
            return able.tools();
        }
        if (method.startsWith("resources/")) {
            return able.resources();
        }
        if (method.startsWith("prompts/")) {
            return able.prompts();
        }
        if (method.startsWith("completion/")) {
            return able.completions();
        }
        return !method.startsWith("tasks/") || able.tasks().isPresent();
    }

    RawJson answer(ServerCall call) throws Exception {
        return served.methods().answer(call);
    }
}
