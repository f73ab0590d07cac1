package dev.fairlead.server.session;

import dev.fairlead.protocol.ServingDescription;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.engine.LogText;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.features.FeatureSet;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.tasks.receiver.TaskReceiver;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Logs where a server starts and stops. */
public final class ServerLog {
    private static final System.Logger LOGGER = System.getLogger("dev.fairlead.server");
    private static final List<FeatureKind<?>> COUNTED =
            List.of(
                    FeatureKind.TOOL,
                    FeatureKind.RESOURCE,
                    FeatureKind.TEMPLATE,
                    FeatureKind.PROMPT);

    private final ServerCore core;
    private final ServerSettings defaults;
    private final ServingDescription where;
    private final long since;
    private final ReentrantLock stopping = new ReentrantLock();
    private boolean stopped; // guarded by stopping

    private ServerLog(ServerCore core, ServerSettings defaults, ServingDescription where) {
        this.core = core;
        this.defaults = defaults;
        this.where = where;
        this.since = core.timers().nanoTime();
    }

    /** Logs the start of a serving, the features, and the limits that were changed. */
    public static ServerLog started(
            ServerCore core, ServerSettings defaults, ServingDescription where) {
        ServerLog log = new ServerLog(core, defaults, where);
        LOGGER.log(Level.INFO, log::start);
        LOGGER.log(Level.DEBUG, HeapPlan::describe);
        if (core.settings().delegate == null && !core.features().hasFeatures()) {
            LOGGER.log(
                    Level.WARNING,
                    () ->
                            log.name()
                                    + " has no tools, resources, resource templates or prompts:"
                                    + " clients find nothing to use; declare a feature before"
                                    + " serve(…)");
        }
        return log;
    }

    /**
     * Logs once that the server is no longer served there. Returns when that is logged, whichever
     * thread does it: the process may end next.
     */
    public void stopped() {
        stopping.lock();
        try {
            if (!stopped) {
                stopped = true;
                logStop();
            }
        } finally {
            stopping.unlock();
        }
    }

    private void logStop() {
        Duration lasted = Duration.ofNanos(core.timers().nanoTime() - since);
        LOGGER.log(
                Level.INFO,
                () ->
                        name()
                                + " stopped on "
                                + where.place()
                                + " after "
                                + LogText.duration(lasted));
    }

    private String name() {
        Implementation own = core.settings().implementation;
        return "Server " + LogText.clean(own.name()) + " " + LogText.clean(own.version());
    }

    private String start() {
        List<String> facts = new ArrayList<>();
        facts.add(features());
        TaskReceiver tasks = core.tasks();
        facts.add(tasks == null ? "no tasks" : "tasks in " + tasks.engine().storeDescription());
        facts.addAll(where.details());
        Map<String, String> changed = new LinkedHashMap<>(core.settings().changedLimits(defaults));
        changed.putAll(where.changedLimits());
        if (!changed.isEmpty()) {
            List<String> limits = new ArrayList<>();
            changed.forEach((limit, value) -> limits.add(limit + " = " + value));
            facts.add("changed limits: " + String.join(", ", limits));
        }
        return name() + " started on " + where.place() + ": " + String.join("; ", facts);
    }

    private String features() {
        Delegate delegate = core.settings().delegate;
        if (delegate != null) {
            return delegate.description();
        }
        FeatureSet present = core.features();
        List<String> counts = new ArrayList<>();
        for (FeatureKind<?> kind : COUNTED) {
            counts.add(counted(present.size(kind), kind.label()));
        }
        int sources =
                present.size(FeatureKind.TOOL_SOURCE) + present.size(FeatureKind.RESOURCE_SOURCE);
        if (sources > 0) {
            counts.add(counted(sources, "source"));
        }
        return String.join(", ", counts);
    }

    private static String counted(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
