package dev.fairlead.testing;

import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.AfterEach;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A part of {@link TaskEngineContract}. */
abstract class TaskEngineTests {
    private final TaskEngineContract contract;
    private final ManualTimers clock = new ManualTimers();
    private final List<EngineBench> opened = new ArrayList<>();

    TaskEngineTests(TaskEngineContract contract) {
        this.contract = contract;
    }

    /** An engine with a store of its own. */
    final EngineBench open(EngineBench.Body body) throws Exception {
        return open(body, tasks -> tasks);
    }

    final EngineBench open(EngineBench.Body body, UnaryOperator<Tasks> options) throws Exception {
        return open(contract.newStore(), body, options);
    }

    final TaskStore newStore() throws Exception {
        return contract.newStore();
    }

    final EngineBench open(TaskStore store, EngineBench.Body body, UnaryOperator<Tasks> options)
            throws Exception {
        EngineBench bench =
                new EngineBench(
                        store,
                        contract.newSignals(),
                        body,
                        options,
                        contract.hasClockOfItsOwn() ? null : clock);
        opened.add(bench);
        return bench;
    }

    @AfterEach
    final void closeAll() {
        opened.forEach(EngineBench::close);
    }
}
