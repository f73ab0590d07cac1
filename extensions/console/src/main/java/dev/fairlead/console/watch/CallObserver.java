package dev.fairlead.console.watch;

import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RequestRefusal;
import dev.fairlead.protocol.RequestStateRefusal;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Records the requests of clients in memory of fixed size, and those that were refused. */
final class CallObserver implements Interceptor {
    private static final int RECENT = 400;
    private static final int FAILED = 200;
    private static final int SLOW = 200;

    /** A call that lasts longer is kept among the slow ones. */
    private static final long SLOW_NANOS = Duration.ofSeconds(1).toNanos();

    private final AtomicLong numbers = new AtomicLong();
    private final Set<ObservedCall> running = ConcurrentHashMap.newKeySet();
    private final Ring<ObservedCall> recent = new Ring<>(RECENT);
    private final Ring<ObservedCall> failed = new Ring<>(FAILED);
    private final Ring<ObservedCall> slow = new Ring<>(SLOW);
    private final Figures figures;
    private final Refusals refusals;

    CallObserver(Figures figures, Refusals refusals) {
        this.figures = figures;
        this.refusals = refusals;
    }

    @Override
    public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
        if (!method.isInbound()) {
            return next.proceed(method);
        }
        ObservedCall call = new ObservedCall(numbers.incrementAndGet(), method);
        running.add(call); // as many as the limits of requests allow
        try {
            Outcome<?> outcome = next.proceed(method);
            call.ended(outcome);
            return outcome;
        } catch (Throwable e) {
            call.failed(e);
            throw e;
        } finally {
            running.remove(call);
            ended(call);
        }
    }

    private void ended(ObservedCall call) {
        recent.add(call);
        if (call.hasFailed()) {
            failed.add(call);
        }
        if (call.nanos() >= SLOW_NANOS) {
            slow.add(call);
        }
        figures.add(call);
    }

    @Override
    public void requestRefused(RequestRefusal request) {
        refusals.add(request.reason(), request.status());
    }

    @Override
    public void requestStateRefused(RequestStateRefusal request) {
        refusals.add("request_state_" + request.cause().label(), 0);
    }

    /**
     * Returns the running calls, the longest first, then those that failed, the latest first, and
     * then the others, the slowest first.
     */
    List<ObservedCall> calls() {
        Set<ObservedCall> all = new LinkedHashSet<>();
        running.stream().sorted(Comparator.comparingLong(ObservedCall::number)).forEach(all::add);
        failed.latest().forEach(all::add);
        Set<ObservedCall> rest = new LinkedHashSet<>(slow.latest());
        rest.addAll(recent.latest());
        rest.stream()
                .sorted(
                        Comparator.comparing(ObservedCall::hasFailed)
                                .thenComparing(ObservedCall::nanos)
                                .reversed())
                .forEach(all::add);
        return List.copyOf(all);
    }
}
