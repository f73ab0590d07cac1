package dev.fairlead.testing;

import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;

class InMemoryTaskEngineContractTest extends TaskEngineContract {
    @Override
    protected TaskStore newStore() {
        return Tasks.inMemory().parts().store();
    }
}
