package dev.fairlead.testing;

import dev.fairlead.tasks.LocalTaskSignals;
import dev.fairlead.tasks.TaskSignals;

class LocalTaskSignalsContractTest extends TaskSignalsContract {
    @Override
    protected TaskSignals newSignals() {
        return new LocalTaskSignals();
    }
}
