package dev.fairlead.http.session;

import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Uninterruptibly;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Ends several things at the same time, since each may wait for a store that does not answer. */
final class Together {
    private static final System.Logger LOGGER = System.getLogger(Together.class.getName());

    private Together() {}

    /**
     * Runs an action for each of them, on threads of their own if there are several, and returns
     * when all have ended. One that throws is logged.
     */
    static <T> void forEach(List<T> all, Consumer<T> action) {
        if (all.size() == 1) {
            run(action, all.getFirst());
            return;
        }
        List<Thread> threads = new ArrayList<>(all.size());
        for (T each : all) {
            threads.add(Thread.ofVirtual().name("mcp-http-end").start(() -> run(action, each)));
        }
        threads.forEach(thread -> Uninterruptibly.await(thread::join));
    }

    private static <T> void run(Consumer<T> action, T each) {
        try {
            action.accept(each);
        } catch (RuntimeException e) { // the others are to end as well
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "A session did not end well");
        }
    }
}
