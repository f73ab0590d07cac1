package dev.fairlead.server.session;

import dev.fairlead.protocol.RequestRefusal;
import dev.fairlead.protocol.RequestStateRefusal;
import dev.fairlead.protocol.ServerOperator.CallListener;
import dev.fairlead.protocol.ServerOperator.CallStatus;
import dev.fairlead.protocol.ServerOperator.Observation;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.server.call.HandledRequest;
import dev.fairlead.server.call.RunningHandlers;
import dev.fairlead.server.call.ServerSettings;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Reports requests of clients to operators, and refused ones also to the interceptors. Thread-safe.
 */
final class CallReports {
    private static final System.Logger LOGGER = System.getLogger(CallReports.class.getName());

    private final ServerSettings settings;
    private final RunningHandlers running;
    private final List<CallListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong numbers = new AtomicLong();

    CallReports(ServerSettings settings, RunningHandlers running) {
        this.settings = settings;
        this.running = running;
    }

    Observation observe(CallListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    List<CallStatus> running() {
        return running.entries(HandledRequest.class).stream()
                .map(request -> request.running(numbers))
                .toList();
    }

    /**
     * Reports the end of a request, which is still among those that run.
     *
     * @param failure null if it has a result
     */
    void ended(HandledRequest request, @Nullable Throwable failure) {
        if (!listeners.isEmpty()) {
            CallStatus call = request.ended(numbers, failure);
            report(listeners, listener -> listener.ended(call));
        }
    }

    void refused(RequestRefusal request) {
        report(settings.interceptors, interceptor -> interceptor.requestRefused(request));
        report(listeners, listener -> listener.requestRefused(request));
    }

    void stateRefused(RequestStateRefusal request) {
        report(settings.interceptors, interceptor -> interceptor.requestStateRefused(request));
        report(listeners, listener -> listener.requestStateRefused(request));
    }

    private static <T> void report(List<T> receivers, Consumer<T> report) {
        for (T receiver : receivers) {
            try {
                report.accept(receiver);
            } catch (RuntimeException e) {
                LimitedLog.failed(
                        LOGGER,
                        Level.ERROR,
                        "",
                        e,
                        "An interceptor or a listener of requests failed");
            }
        }
    }
}
