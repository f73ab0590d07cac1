package dev.fairlead.test.support;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Threads of which one runs at a time: each calls {@link #step} where another may continue in its
 * place, and chance decides which. The same seed gives the same order. No time passes: a thread
 * that waits does so in {@link #await}, and where all wait a wake-up was lost.
 *
 * <p>A thread that steps must hold no lock that another one may want.
 */
public final class Interleaving {
    /** The number of times in a row that background threads run although all others wait. */
    private static final int IDLE = 200;

    private final Random random;
    private final Supplier<?> state;

    /**
     * The threads of the model; one that ends because the model is over may start another
     * meanwhile.
     */
    private final List<Actor> actors = new CopyOnWriteArrayList<>();

    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Actor turn;
    private volatile @Nullable String failure;
    private int idle;
    private long steps;

    /** A thread of the model. */
    private final class Actor {
        private final boolean background;
        private final Thread thread;
        private BooleanSupplier ready = () -> true;
        private boolean ended;

        Actor(Runnable task, boolean background) {
            this.background = background;
            this.thread = Thread.ofVirtual().unstarted(() -> Interleaving.this.run(this, task));
        }

        boolean isAlive() {
            return !ended && thread.getState() != Thread.State.NEW;
        }

        boolean mayRun() {
            return isAlive() && ready.getAsBoolean();
        }
    }

    /**
     * @param state is part of the message of a failure
     */
    public Interleaving(long seed, Supplier<?> state) {
        this.random = new Random(seed);
        this.state = state;
    }

    /** Returns a number from 0 to below the bound; to be called by threads of the model. */
    public int choose(int bound) {
        return random.nextInt(bound);
    }

    /** Returns how often a thread could have been replaced by another. */
    public long steps() {
        return steps;
    }

    /** Returns a thread of the model, which is not started. */
    public Thread thread(Runnable task) {
        return thread(task, false);
    }

    /** Returns a thread that runs for ever, and never is the reason that the model continues. */
    public Thread background(Runnable task) {
        return thread(task, true);
    }

    private Thread thread(Runnable task, boolean background) {
        Actor actor = new Actor(task, background);
        actors.add(actor);
        return actor.thread;
    }

    private void run(Actor actor, Runnable task) {
        awaitTurn(actor);
        try {
            if (failure == null) {
                task.run();
            }
        } catch (Throwable e) {
            fail("a thread has failed by " + e);
        }
        actor.ended = true;
        if (failure == null) {
            handOver();
        }
    }

    /** Lets another thread run here. */
    public void step() {
        await(() -> true);
    }

    /** Waits until a condition holds, which must depend on threads of the model alone. */
    public void await(BooleanSupplier condition) {
        Actor me = turn;
        if (me == null || me.thread != Thread.currentThread() || failure != null) {
            return;
        }
        me.ready = condition;
        handOver();
        awaitTurn(me);
    }

    private void awaitTurn(Actor me) {
        while (turn != me && failure == null) {
            LockSupport.park(this);
        }
    }

    /** Chooses the thread that runs next. */
    private void handOver() {
        steps++;
        List<Actor> candidates = actors.stream().filter(Actor::mayRun).toList();
        if (candidates.stream().allMatch(actor -> actor.background)) {
            if (actors.stream().noneMatch(actor -> actor.isAlive() && !actor.background)) {
                turn = null;
                over.countDown();
                return;
            }
            if (candidates.isEmpty() || ++idle > IDLE) {
                fail("all threads wait");
                return;
            }
        } else {
            idle = 0;
        }
        Actor next = candidates.get(random.nextInt(candidates.size()));
        turn = next;
        LockSupport.unpark(next.thread);
    }

    private void fail(String cause) {
        if (failure == null) {
            failure = cause + ": " + state.get();
        }
        actors.forEach(actor -> LockSupport.unpark(actor.thread));
        over.countDown();
    }

    /** Ends the model as failed. */
    public void check(boolean holds, String otherwise) {
        if (!holds) {
            fail(otherwise);
            throw new AssertionError(otherwise);
        }
    }

    /** Runs the threads that are started until all have ended but those in the background. */
    public void run() throws InterruptedException {
        handOver();
        if (!over.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("a thread of the model does not step");
        }
        String cause = failure;
        if (cause != null) {
            throw new AssertionError(cause);
        }
        failure = "over";
        actors.forEach(actor -> LockSupport.unpark(actor.thread));
    }

    /** Returns whether the model is over, so that background threads end. */
    public boolean isOver() {
        return failure != null;
    }
}
