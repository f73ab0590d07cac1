package dev.fairlead.http;

import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.testing.EventStoreContract;

class InMemoryEventStoreContractTest extends EventStoreContract {
    @Override
    protected EventStore newStore(EventLimits limits) {
        return new InMemoryEventStore(limits);
    }
}
