package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import java.time.Duration;

/** Signals of tasks among the nodes of a PostgreSQL. */
final class NotifySignals implements TaskSignals {
    private static final String CHANNEL = "mcp_task";
    private static final String SUBJECT = "tasks";

    private final NotifyChannel channel;

    NotifySignals(PostgresEngine engine) {
        channel = new NotifyChannel(engine, CHANNEL, SUBJECT);
    }

    NotifySignals(PostgresEngine engine, Duration silence, Duration answer) {
        channel = new NotifyChannel(engine, CHANNEL, SUBJECT, silence, answer);
    }

    @Override
    public void open(Listener listener) {
        channel.open(
                new NotifyChannel.Receiver() {
                    @Override
                    public void changed(String text) {
                        SharedSignals.notifyChanged(listener, new TaskId(text));
                    }

                    @Override
                    public void anyChanged() {
                        SharedSignals.notifyAnyChanged(listener);
                    }
                });
    }

    @Override
    public void changed(TaskId id) {
        channel.changed(id.value());
    }

    @Override
    public void close() {
        channel.close();
    }
}
