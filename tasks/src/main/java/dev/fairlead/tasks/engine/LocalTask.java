package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What this node has to do with a task: its run, the callers that wait for it, the session it came
 * from, and the questions that are on their way. Changed only by {@link LocalTasks#change}, read by
 * anybody.
 */
final class LocalTask {
    private final TaskId id;
    private final Owner owner;
    private volatile long expiry;
    private volatile @Nullable Run run;
    private volatile @Nullable TaskCarrier attached;
    private volatile boolean unreachable;
    private volatile List<Waiter> waiters = List.of();
    private volatile List<Delivery> deliveries = List.of();
    private volatile TaskQuestion.@Nullable Delivery claimed;
    private boolean matching; // guarded by this
    private boolean again; // guarded by this

    /**
     * @param expiry when it expires, in milliseconds since 1970
     */
    LocalTask(TaskId id, Owner owner, long expiry) {
        this.id = id;
        this.owner = owner;
        this.expiry = expiry;
    }

    TaskId id() {
        return id;
    }

    Owner owner() {
        return owner;
    }

    /** When the store is to be asked whether it has expired, in milliseconds since 1970. */
    long expiry() {
        return expiry;
    }

    void expiry(long millis) {
        expiry = millis;
    }

    /** Whether the node has nothing to do with it any more. */
    boolean isIdle() {
        return run == null && waiters.isEmpty() && deliveries.isEmpty();
    }

    /** Stops all that it still has here, since it has ended. */
    void end(TaskState state) {
        deliveries.forEach(Delivery::withdraw);
        run().ifPresent(here -> here.stop(Reasons.of(state)));
        News.wake(this);
    }

    // ---- the run

    Optional<Run> run() {
        return Optional.ofNullable(run);
    }

    void run(Run begun) {
        run = begun;
    }

    void ended(Run gone) {
        if (run == gone) {
            run = null;
        }
    }

    // ---- ways to the requestor

    /** A session that can be reached takes the place of one that cannot. */
    void attach(TaskCarrier session) {
        if (attached == null || (session.isOpen() && openSession().isEmpty())) {
            attached = session;
            unreachable = false;
        }
    }

    void closed(TaskCarrier session) {
        if (session.equals(attached)) {
            attached = null;
        }
    }

    boolean isAttachedTo(TaskCarrier session) {
        return session.equals(attached);
    }

    /** The attached session can be reached again. */
    void reachable() {
        unreachable = false;
    }

    /** A way to the requestor has failed to deliver a question. */
    void failed(TaskCarrier carrier) {
        if (carrier.equals(attached)) {
            unreachable = true;
        }
        waiters.stream()
                .filter(waiter -> waiter.stream().equals(carrier))
                .forEach(Waiter::breakStream);
    }

    List<Waiter> waiters() {
        return waiters;
    }

    void add(Waiter waiter) {
        waiters = with(waiters, waiter);
    }

    void remove(Waiter waiter) {
        waiters = without(waiters, waiter);
    }

    /** The newest of those who wait: of an older one the stream may be dead unnoticed. */
    Optional<Waiter> newestWaiter() {
        List<Waiter> waiting = waiters;
        for (Waiter waiter : waiting.reversed()) {
            if (waiter.isReachable()) {
                return Optional.of(waiter);
            }
        }
        return Optional.empty();
    }

    /** The attached session, if it can be reached now. */
    Optional<TaskCarrier> openSession() {
        TaskCarrier session = attached;
        return session != null && !unreachable && session.isOpen()
                ? Optional.of(session)
                : Optional.empty();
    }

    // ---- questions on their way

    List<Delivery> deliveries() {
        return deliveries;
    }

    void add(Delivery delivery) {
        deliveries = with(deliveries, delivery);
    }

    /** A claim that is about to be made. */
    void claims(TaskQuestion.Delivery claim) {
        claimed = claim;
    }

    /** Whether a claim that stands was made here, but the store failed to say so. */
    boolean isForgotten(TaskQuestion.Delivery claim) {
        return claim.equals(claimed)
                && deliveries.stream().noneMatch(known -> known.claim().equals(claim));
    }

    void remove(Delivery delivery) {
        deliveries = without(deliveries, delivery);
    }

    /** One thread at a time matches deliveries with the store; false: it has to do so once more. */
    synchronized boolean beginMatching() {
        again = matching;
        if (matching) {
            return false;
        }
        matching = true;
        return true;
    }

    /** False if it is to be done once more. */
    synchronized boolean endMatching() {
        matching = again;
        again = false;
        return !matching;
    }

    private static <T> List<T> with(List<T> list, T element) {
        List<T> longer = new ArrayList<>(list);
        longer.add(element);
        return List.copyOf(longer);
    }

    private static <T> List<T> without(List<T> list, T element) {
        return list.stream().filter(other -> other != element).toList();
    }
}
