package dev.fairlead.console.watch;

import dev.fairlead.protocol.RequestRefusal;
import dev.fairlead.protocol.RequestStateRefusal;
import dev.fairlead.protocol.ServerOperator.CallListener;
import dev.fairlead.protocol.ServerOperator.CallState;
import dev.fairlead.protocol.ServerOperator.CallStatus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Records the requests of clients in memory of fixed size, and those that were refused. */
final class CallObserver implements CallListener {
    private static final int RECENT = 400;
    private static final int FAILED = 200;
    private static final int SLOW = 200;

    /** A call that lasts longer is kept among the slow ones. */
    private static final Duration SLOW_FROM = Duration.ofSeconds(1);

    private final Supplier<List<CallStatus>> running;
    private final Ring<CallStatus> recent = new Ring<>(RECENT);
    private final Ring<CallStatus> failed = new Ring<>(FAILED);
    private final Ring<CallStatus> slow = new Ring<>(SLOW);
    private final Figures figures;
    private final Refusals refusals;

    /** When a page first saw that a running call is cancelled, in milliseconds, by its number. */
    private final Map<Long, Long> cancelSeen = new ConcurrentHashMap<>();

    /**
     * @param running returns the calls that run
     */
    CallObserver(Supplier<List<CallStatus>> running, Figures figures, Refusals refusals) {
        this.running = running;
        this.figures = figures;
        this.refusals = refusals;
    }

    @Override
    public void ended(CallStatus call) {
        recent.add(call);
        if (call.state() == CallState.FAILED) {
            failed.add(call);
        }
        if (call.lasted().compareTo(SLOW_FROM) >= 0) {
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
    List<CallStatus> calls() {
        List<CallStatus> alive = new ArrayList<>(running.get()); // first: no call is in neither
        alive.sort(Comparator.comparing(CallStatus::lasted).reversed());
        List<CallStatus> broken = failed.latest();
        Map<Long, CallStatus> ended = new LinkedHashMap<>();
        slow.latest().forEach(call -> ended.put(call.number(), call));
        recent.latest().forEach(call -> ended.put(call.number(), call));
        broken.forEach(call -> ended.put(call.number(), call));

        Map<Long, CallStatus> all = new LinkedHashMap<>();
        alive.stream()
                .filter(call -> !ended.containsKey(call.number()))
                .forEach(call -> all.put(call.number(), call));
        noteCancelled(all);
        broken.forEach(call -> all.put(call.number(), call));
        ended.values().stream()
                .sorted(
                        Comparator.comparing((CallStatus call) -> call.state() == CallState.FAILED)
                                .thenComparing(CallStatus::lasted)
                                .reversed())
                .forEach(call -> all.putIfAbsent(call.number(), call));
        return List.copyOf(all.values());
    }

    private void noteCancelled(Map<Long, CallStatus> alive) {
        Set<Long> cancelled =
                alive.values().stream()
                        .filter(call -> call.state() == CallState.CANCELLING)
                        .map(CallStatus::number)
                        .collect(Collectors.toSet());
        cancelSeen.keySet().retainAll(cancelled);
        cancelled.forEach(call -> cancelSeen.putIfAbsent(call, System.currentTimeMillis()));
    }

    /** Returns how long pages have seen a running call as cancelled. */
    Duration cancellingFor(CallStatus call) {
        Long seen = cancelSeen.get(call.number());
        return Duration.ofMillis(seen == null ? 0 : System.currentTimeMillis() - seen);
    }
}
