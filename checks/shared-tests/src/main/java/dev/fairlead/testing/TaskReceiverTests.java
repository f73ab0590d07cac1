package dev.fairlead.testing;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.AfterEach;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A part of {@link TaskReceiverContract}, at one of the two sides. */
abstract class TaskReceiverTests {
    private final TaskReceiverContract contract;
    private final ReceiverBench.Opening side;
    private final List<ReceiverBench> opened = new ArrayList<>();

    TaskReceiverTests(TaskReceiverContract contract, ReceiverBench.Opening side) {
        this.contract = contract;
        this.side = side;
    }

    /** The side over a store of its own. */
    final ReceiverBench open() throws Exception {
        return open(tasks -> tasks);
    }

    final ReceiverBench open(UnaryOperator<Tasks> options) throws Exception {
        return open(options.apply(contract.newTasks()), false);
    }

    final ReceiverBench open(Tasks tasks, boolean rerun) throws Exception {
        return open(tasks, rerun, (call, next) -> next.proceed(call));
    }

    final ReceiverBench open(Tasks tasks, boolean rerun, Interceptor interceptor) throws Exception {
        ReceiverBench bench = side.open(tasks, rerun, interceptor);
        opened.add(bench);
        return bench;
    }

    /** Returns settings for tasks, without any yet. */
    final Tasks newTasks() throws Exception {
        return contract.newTasks();
    }

    @AfterEach
    final void closeAll() {
        opened.forEach(ReceiverBench::close);
    }

    static int code(JsonObject error) {
        return (int) error.integer("code");
    }
}
