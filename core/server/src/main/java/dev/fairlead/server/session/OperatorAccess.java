package dev.fairlead.server.session;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.platform.Sha256;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.features.FeatureSet;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOverview;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The access of operators to a server. */
final class OperatorAccess implements ServerOperator {
    private static final int REFERENCE = 16;

    private final ServerSettings settings;
    private final Supplier<FeatureSet> features;
    private final Supplier<@Nullable TaskReceiver> receiver;
    private final CallReports reports;
    private final ReentrantLock lock = new ReentrantLock(); // guards changes of the interceptors

    /**
     * @param receiver the tasks of the server; null where it has none
     */
    OperatorAccess(
            ServerSettings settings,
            Supplier<FeatureSet> features,
            Supplier<@Nullable TaskReceiver> receiver,
            CallReports reports) {
        this.settings = settings;
        this.features = features;
        this.receiver = receiver;
        this.reports = reports;
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
        return features.get().statuses(caller);
    }

    @Override
    public List<TaskStatus> tasks(int limit) {
        TaskReceiver tasks = receiver.get();
        if (tasks == null) {
            return List.of();
        }
        return tasks.engine().overview(limit).stream().map(OperatorAccess::status).toList();
    }

    private static TaskStatus status(TaskOverview.Seen seen) {
        StoredTask task = seen.task();
        return new TaskStatus(
                reference(task.id()),
                task.name(),
                task.state().name().toLowerCase(Locale.ROOT),
                Objects.requireNonNullElse(task.statusMessage(), ""),
                owner(task.owner()),
                Objects.requireNonNullElse(seen.node(), ""),
                task.run(),
                task.progress(),
                Objects.requireNonNullElse(seen.question(), ""),
                Objects.requireNonNullElse(task.job(), ""),
                task.createdAt(),
                task.lastUpdatedAt(),
                task.expiresAt());
    }

    /** Returns a text by which the task cannot be reached as by its id. */
    private static String reference(TaskId task) {
        return Sha256.hex("task " + task.value()).substring(0, REFERENCE);
    }

    private static String owner(Owner owner) {
        return switch (owner) {
            case Owner.Principal known -> known.subject() + "@" + known.issuer();
            case Owner.Local local -> local.name();
            case Owner.Anonymous anonymous -> "anonymous";
        };
    }

    @Override
    public boolean cancelTask(String reference, int limit) {
        TaskReceiver tasks = receiver.get();
        return tasks != null
                && tasks.engine().overview(limit).stream()
                        .map(TaskOverview.Seen::task)
                        .filter(task -> reference(task.id()).equals(reference))
                        .findFirst()
                        .filter(tasks.engine()::cancelByOperator)
                        .isPresent();
    }

    @Override
    public Set<String> runningTasks() {
        TaskReceiver tasks = receiver.get();
        return tasks == null
                ? Set.of()
                : tasks.engine().running().stream()
                        .map(OperatorAccess::reference)
                        .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Observation observe(Interceptor observer) {
        change(interceptors -> interceptors.add(0, observer));
        return () -> change(interceptors -> interceptors.remove(observer));
    }

    @Override
    public List<CallStatus> calls() {
        return reports.running();
    }

    @Override
    public Observation observeCalls(CallListener listener) {
        return reports.observe(listener);
    }

    @Override
    public Observation observeTasks(Consumer<TaskAct> listener) {
        TaskReceiver tasks = receiver.get();
        if (tasks == null) {
            return () -> {};
        }
        return tasks.engine().observe(event -> act(event).ifPresent(listener))::run;
    }

    /** Returns the act on a task; empty for one that concerns none, and for reads of its state. */
    private static Optional<TaskAct> act(TaskEvent event) {
        TaskId task = event.task();
        return task == null || event.kind() == TaskEvent.Kind.READ
                ? Optional.empty()
                : Optional.of(
                        new TaskAct(
                                reference(task),
                                event.kind().name().toLowerCase(Locale.ROOT),
                                event.time(),
                                owner(event.owner()),
                                Objects.requireNonNullElse(event.detail(), "")));
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
