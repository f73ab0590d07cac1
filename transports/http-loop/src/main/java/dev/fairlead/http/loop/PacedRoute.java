package dev.fairlead.http.loop;

import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.time.LimitedLog;

import java.util.function.LongSupplier;

/**
 * The handler of a path, and its pace: how long it takes apart from the tasks of {@link
 * LoopExchange#run}.
 */
final class PacedRoute {
    private static final System.Logger LOGGER = System.getLogger(PacedRoute.class.getName());

    private final Route.Handler handler;
    private final Pace pace;
    private final LongSupplier nanoTime;

    /**
     * @param nanoTime measures how long requests are handled
     */
    PacedRoute(Route route, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.handler = route.handler();
        this.pace = new Pace("the path " + route.path());
    }

    /** Returns whether the next request is expected to be handled quickly. */
    boolean isQuick() {
        return pace.isQuick();
    }

    /** Has a request handled on the current thread. */
    void handle(LoopExchange exchange) {
        long started = nanoTime.getAsLong();
        exchange.handledHere();
        try {
            handler.handle(exchange);
        } catch (Throwable e) { // code in other languages throws checked exceptions as well
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "A handler of HTTP requests failed");
            exchange.handlerFailed();
        }
        long tasks = exchange.handled();
        if (exchange.arrivingBody() == null) { // else the client has its part in it
            pace.ran(nanoTime.getAsLong() - started - tasks);
        }
    }
}
