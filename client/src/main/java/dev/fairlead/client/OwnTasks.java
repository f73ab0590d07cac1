package dev.fairlead.client;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TasksCapability;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.receiver.TaskReceiver;

/**
 * The tasks that this client runs for its server, whatever session asked for them.
 *
 * @param owner the server: the only one that can ask for them
 * @param declared what the server was told about them
 */
record OwnTasks(
        TaskEngine engine,
        TaskReceiver receiver,
        Owner owner,
        TasksCapability declared,
        boolean rerun)
        implements AutoCloseable {

    /** Opens an engine, which may run tasks of an earlier process at once. */
    static OwnTasks open(
            ClientSettings settings,
            Tasks tasks,
            TasksCapability declared,
            UrlElicitations visits,
            Timers timers) {
        TaskEngine engine =
                TaskEngine.open(
                        tasks,
                        settings.info.name(),
                        new QuestionWork(settings, visits),
                        timers.borrowed());
        return new OwnTasks(
                engine,
                new TaskReceiver(engine),
                new Owner.Local(settings.taskServer),
                declared,
                settings.rerunTasks);
    }

    @Override
    public void close() {
        engine.close();
    }
}
