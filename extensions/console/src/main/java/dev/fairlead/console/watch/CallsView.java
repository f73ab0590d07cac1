package dev.fairlead.console.watch;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.ServerOperator.CallState;
import dev.fairlead.protocol.ServerOperator.CallStatus;
import dev.fairlead.protocol.base.Progress;

import java.util.List;
import java.util.Locale;

/** The calls of clients: running ones, then failed ones, then the slowest. */
final class CallsView implements View {
    private static final int MAX_ERROR = 300;

    private final CallObserver observer;

    CallsView(CallObserver observer) {
        this.observer = observer;
    }

    @Override
    public Snapshot snapshot(Query query) {
        List<CallStatus> matching =
                observer.calls().stream()
                        .filter(
                                call ->
                                        query.matches(
                                                call.method(),
                                                call.target(),
                                                call.client(),
                                                call.caller(),
                                                call.session(),
                                                label(call.state())))
                        .toList();
        return new Snapshot(
                JsonObject.EMPTY,
                matching.size(),
                matching.stream().limit(Snapshot.MAX_ROWS).map(this::row).toList());
    }

    /** Returns the name of a state for pages. */
    private static String label(CallState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Snapshot.Row row(CallStatus call) {
        boolean runs = call.state() == CallState.RUNNING || call.state() == CallState.CANCELLING;
        return new Snapshot.Row(
                Long.toString(call.number()),
                JsonObject.of(
                        "method",
                        call.method(),
                        "target",
                        Texts.shortened(call.target()),
                        "state",
                        label(call.state()),
                        "error",
                        Texts.shortened(call.error(), MAX_ERROR),
                        "client",
                        Texts.shortened(call.client()),
                        "caller",
                        Texts.shortened(call.caller()),
                        "session",
                        call.session(),
                        "transport",
                        call.transport(),
                        "began",
                        call.began().toEpochMilli(),
                        "micros",
                        runs ? -1 : call.lasted().toNanos() / 1_000,
                        "cancelling",
                        runs ? observer.cancellingFor(call).toSeconds() : 0,
                        "progress",
                        call.progress() == null ? false : progress(call.progress())));
    }

    private static JsonValue progress(Progress progress) {
        Double total = progress.total();
        return JsonObject.of(
                "done",
                progress.progress(),
                "of",
                total == null ? 0 : total,
                "message",
                Texts.shortened(progress.message()));
    }
}
