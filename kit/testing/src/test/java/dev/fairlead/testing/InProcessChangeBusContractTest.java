package dev.fairlead.testing;

import dev.fairlead.protocol.changes.ChangeBus;

class InProcessChangeBusContractTest extends ChangeBusContract {
    private ChangeBus bus;

    @Override
    protected ChangeBus newBus() {
        bus = ChangeBus.inProcess();
        return bus;
    }

    @Override
    protected ChangeBus furtherNode() {
        return bus;
    }
}
