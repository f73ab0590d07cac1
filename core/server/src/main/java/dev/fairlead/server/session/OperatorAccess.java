package dev.fairlead.server.session;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.server.call.ServerSettings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The access of operators to a server. */
final class OperatorAccess implements ServerOperator {
    private final ServerCore core;
    private final ServerSettings settings;
    private final ReentrantLock lock = new ReentrantLock(); // guards changes of the interceptors

    OperatorAccess(ServerCore core, ServerSettings settings) {
        this.core = core;
        this.settings = settings;
    }

    @Override
    public Implementation implementation() {
        return settings.implementation;
    }

    @Override
    public Map<String, String> limits() {
        return settings.limits();
    }

    @Override
    public List<FeatureStatus> features(Caller caller) {
        return core.features().statuses(caller);
    }

    @Override
    public Observation observe(Interceptor observer) {
        change(interceptors -> interceptors.add(0, observer));
        return () -> change(interceptors -> interceptors.remove(observer));
    }

    private void change(Consumer<List<Interceptor>> change) {
        lock.lock();
        try {
            List<Interceptor> changed = new ArrayList<>(settings.interceptors);
            change.accept(changed);
            settings.interceptors = List.copyOf(changed);
        } finally {
            lock.unlock();
        }
    }
}
