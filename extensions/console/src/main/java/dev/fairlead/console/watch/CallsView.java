package dev.fairlead.console.watch;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.base.Progress;

import java.util.List;

/** The calls of clients: running ones, then failed ones, then the slowest. */
final class CallsView implements View {
    private final CallObserver observer;

    CallsView(CallObserver observer) {
        this.observer = observer;
    }

    @Override
    public Snapshot snapshot(Query query) {
        List<ObservedCall> matching =
                observer.calls().stream()
                        .filter(
                                call ->
                                        query.matches(
                                                call.method(),
                                                call.target(),
                                                call.client(),
                                                call.caller(),
                                                call.session(),
                                                call.state().label()))
                        .toList();
        return new Snapshot(
                JsonObject.EMPTY,
                matching.size(),
                matching.stream().limit(Snapshot.MAX_ROWS).map(CallsView::row).toList());
    }

    private static Snapshot.Row row(ObservedCall call) {
        return new Snapshot.Row(
                Long.toString(call.number()),
                JsonObject.of(
                        "method",
                        call.method(),
                        "target",
                        Texts.shortened(call.target()),
                        "state",
                        call.state().label(),
                        "error",
                        call.error(),
                        "client",
                        Texts.shortened(call.client()),
                        "caller",
                        Texts.shortened(call.caller()),
                        "session",
                        call.session(),
                        "transport",
                        call.transport(),
                        "began",
                        call.began(),
                        "micros",
                        call.isRunning() ? -1 : call.nanos() / 1_000,
                        "cancelling",
                        call.isRunning() ? call.cancellingFor() / 1_000 : 0,
                        "progress",
                        call.progress().<Object>map(CallsView::progress).orElse(false)));
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
