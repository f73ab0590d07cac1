package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.TaskLimits;
import dev.fairlead.tasks.TaskStore;

/** What the runs of a node share. */
record NodeParts(
        TaskStore store,
        Timers timers,
        Persistence persistence,
        TaskLimits limits,
        TaskWork work,
        LocalTasks locals,
        ChangePublisher news,
        Telling telling,
        Deliveries deliveries,
        Ending ending,
        Audit audit,
        DeadlineTicker pulse) {}
