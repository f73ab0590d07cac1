package dev.fairlead.server;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.receiver.TaskReceiver;

/** The tasks of a server: their engine, and what all sessions need of it. Thread-safe. */
final class OwnTasks implements AutoCloseable {
    private final Tasks settings;
    private final TaskEngine engine;
    private final TaskReceiver receiver;
    private final QuestionProgress progress;

    private OwnTasks(Tasks settings, TaskEngine engine, QuestionProgress progress) {
        this.settings = settings;
        this.engine = engine;
        this.receiver = new TaskReceiver(engine);
        this.progress = progress;
    }

    /** Opens an engine, which may run tasks of processes that died at once. */
    static OwnTasks open(ServerCore core, Tasks settings) {
        QuestionProgress progress = new QuestionProgress();
        TaskEngine engine =
                TaskEngine.open(
                        settings,
                        core.settings().implementation().name(),
                        new ToolWork(core, progress),
                        core.timers());
        return new OwnTasks(settings, engine, progress);
    }

    TaskEngine engine() {
        return engine;
    }

    /** What the tasks are stored in, for the log. */
    String store() {
        return engine.storeDescription();
    }

    TaskReceiver receiver() {
        return receiver;
    }

    QuestionProgress progress() {
        return progress;
    }

    /** Whether a peer may be told of a list of its tasks (TASK-099, ROOM-023). */
    boolean listsFor(SessionContext context) {
        boolean known =
                !context.caller().isAnonymous() || !(context.owner() instanceof Owner.Anonymous);
        return known || (settings.listsForAnonymous() && context.assumedRevision().isEmpty());
    }

    /** Stops all handlers. */
    @Override
    public void close() {
        engine.close();
    }
}
