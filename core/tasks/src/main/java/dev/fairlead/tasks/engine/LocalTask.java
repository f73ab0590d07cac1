package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * State of a task on this node: its run, the callers that wait for it, the session it came from,
 * and the questions that are on their way. Changed only by {@link LocalTasks#change}, read by any
 * thread.
 */
final class LocalTask {
    private final TaskId id;
    private final Owner owner;
    private volatile long expiry;
    private volatile @Nullable String version;
    private volatile @Nullable Run run;
    private volatile @Nullable TaskCarrier attached;
    private volatile boolean unreachable;
    private volatile List<Waiter> waiters = List.of();
    private final SharedRead<Look> looks = new SharedRead<>();
    private volatile List<QuestionDelivery> deliveries = List.of();
    private volatile TaskQuestion.@Nullable Delivery claimed;
    private volatile boolean left; // thread that matches
    private volatile int holds; // changed as the rest
    private boolean matching; // guarded by this
    private boolean again; // guarded by this

    /**
     * @param expiry the time at which it expires, in milliseconds since 1970
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

    /**
     * Returns the time at which to read the store whether the task has expired, in milliseconds
     * since 1970.
     */
    long expiry() {
        return expiry;
    }

    void expiry(long millis) {
        expiry = millis;
    }

    /** Sets the version that was read from the store; false if it is the known one. */
    boolean changeVersion(@Nullable String read) {
        boolean changed = read == null || !read.equals(version);
        version = read;
        return changed;
    }

    /** Returns whether this node needs the state no longer. */
    boolean isIdle() {
        return holds == 0 && run == null && waiters.isEmpty() && deliveries.isEmpty();
    }

    /** Keeps the state until {@link #release} was called as often. */
    void hold() {
        holds = holds + 1;
    }

    void release() {
        holds = holds - 1;
    }

    /** Stops all activities for the task here, since it has ended. */
    void end(TaskState state) {
        deliveries.forEach(QuestionDelivery::withdraw);
        run().ifPresent(here -> here.stop(Interrupts.reason(state)));
        wake();
    }

    /** Wakes the run and all waiting callers; they read the store again. */
    void wake() {
        wakeWaiters();
        run().ifPresent(Run::wake);
    }

    /** Wakes all waiting callers; they read the store again, once together. */
    void wakeWaiters() {
        looks.changed();
        waiters.forEach(Waiter::wake);
    }

    /**
     * The task as one of the waiting callers has read it for all.
     *
     * @param task null if it is unknown
     * @param runsHere whether it ran on this node before the read
     * @param newest as {@link #newestWaiter}
     * @param reader the caller that has read it
     */
    record Look(
            @Nullable StoredTask task, boolean runsHere, @Nullable Waiter newest, Waiter reader) {}

    /** Reads the task, unless a caller has read it since the last change. */
    Look look(Supplier<Look> read) {
        return looks.get(read);
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

    /** Attaches a session that can be reached, in place of one that cannot. */
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

    /** Records that the attached session can be reached again. */
    void reachable() {
        unreachable = false;
    }

    /** Records that a connection to the requestor has failed to deliver a question. */
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
        looks.changed();
    }

    void remove(Waiter waiter) {
        waiters = without(waiters, waiter);
        looks.changed();
    }

    /**
     * Returns the newest connected waiter, else the newest that may reconnect: the stream of an
     * older one may be dead unnoticed.
     */
    Optional<Waiter> newestWaiter() {
        return newest(Waiter::isConnected).or(() -> newest(Waiter::isReachable));
    }

    private Optional<Waiter> newest(Predicate<Waiter> which) {
        return waiters.reversed().stream().filter(which).findFirst();
    }

    /** Returns the attached session, if it can be reached now. */
    Optional<TaskCarrier> openSession() {
        TaskCarrier session = attached;
        return session != null && !unreachable && session.isOpen()
                ? Optional.of(session)
                : Optional.empty();
    }

    /**
     * Returns the best connection to the requestor: the newest caller that waits, else the session.
     */
    Optional<TaskCarrier> way() {
        return newestWaiter().map(Waiter::stream).or(this::openSession);
    }

    // ---- questions on their way

    List<QuestionDelivery> deliveries() {
        return deliveries;
    }

    void add(QuestionDelivery delivery) {
        deliveries = with(deliveries, delivery);
    }

    /** Returns the delivery that holds a claim; empty if it is one of another node. */
    Optional<QuestionDelivery> delivery(TaskQuestion.Delivery claim) {
        return deliveries.stream().filter(known -> known.claim().equals(claim)).findFirst();
    }

    /**
     * Returns whether the connection of a delivery stands, so that the question is asked nowhere
     * else. The stream of a {@code tasks/result} stands as long as its request is waiting.
     */
    boolean isLive(QuestionDelivery delivery) {
        TaskCarrier carrier = delivery.carrier();
        boolean there =
                !carrier.isResultStream()
                        || waiters.stream().anyMatch(waiter -> waiter.stream().equals(carrier));
        return there && carrier.isConnected();
    }

    /**
     * Returns whether a question could be asked over this connection in place of a lost one. A
     * session does not replace the stream of a {@code tasks/result}, to which its client may
     * reconnect.
     */
    static boolean replaces(TaskCarrier way, TaskCarrier lost) {
        return !way.equals(lost)
                && way.isConnected()
                && (way.isResultStream() || !lost.isResultStream());
    }

    /**
     * Returns whether a question may have lost its connection, while it could be asked over
     * another.
     */
    boolean isToBeMatched() {
        List<QuestionDelivery> underWay = deliveries;
        if (underWay.isEmpty() && !left) {
            return false;
        }
        Optional<Waiter> waiter = newestWaiter();
        TaskCarrier way = waiter.map(Waiter::stream).or(this::openSession).orElse(null);
        if (left && way != null && way.isConnected()) {
            return true;
        }
        boolean checks = waiter.filter(Waiter::isStarting).isPresent();
        for (QuestionDelivery delivery : underWay) {
            boolean replaceable = way != null && replaces(way, delivery.carrier());
            boolean live = isLive(delivery);
            boolean toBeChecked = (checks && replaceable) || delivery.isToBeChecked();
            if (live ? toBeChecked : replaceable || delivery.isContested()) {
                return true;
            }
        }
        return false;
    }

    /** Leaves questions to a caller at another node, until there is a connection here again. */
    void leavesQuestions() {
        left = true;
    }

    /** Returns whether a question may be claimed for this connection. */
    boolean takesQuestions(TaskCarrier way) {
        if (left && !way.isConnected()) {
            return false;
        }
        left = false;
        return true;
    }

    /** Registers a claim that is about to be made. */
    void claims(TaskQuestion.Delivery claim) {
        claimed = claim;
    }

    /**
     * Returns whether a claim in the store was made here, although the store failed to confirm it.
     */
    boolean isForgotten(TaskQuestion.Delivery claim) {
        return claim.equals(claimed) && delivery(claim).isEmpty();
    }

    void remove(QuestionDelivery delivery) {
        deliveries = without(deliveries, delivery);
    }

    /**
     * Begins matching deliveries with the store; false if another thread does, which then repeats
     * it.
     */
    synchronized boolean beginMatching() {
        again = matching;
        if (matching) {
            return false;
        }
        matching = true;
        return true;
    }

    /** Ends matching; false if it is to be repeated. */
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
