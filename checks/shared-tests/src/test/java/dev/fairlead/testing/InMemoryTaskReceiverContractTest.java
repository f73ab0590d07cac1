package dev.fairlead.testing;

import dev.fairlead.tasks.Tasks;

class InMemoryTaskReceiverContractTest extends TaskReceiverContract {
    @Override
    protected Tasks newTasks() {
        return Tasks.inMemory();
    }
}
