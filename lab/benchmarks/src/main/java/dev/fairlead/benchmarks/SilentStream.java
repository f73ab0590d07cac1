package dev.fairlead.benchmarks;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.engine.TaskCarrier;

/** The stream of a requestor that only wants the result. */
final class SilentStream implements TaskCarrier {
    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isResultStream() {
        return true;
    }

    @Override
    public TaskOutcome ask(StoredTask task, String method, RawJson params) {
        throw new ConnectionException("a benchmark asks no person");
    }

    @Override
    public void progressed(StoredTask task, Progress progress) {}

    @Override
    public void changed(StoredTask task) {}
}
