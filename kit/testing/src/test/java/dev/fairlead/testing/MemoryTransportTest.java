package dev.fairlead.testing;

class MemoryTransportTest extends TransportContract {
    private MemoryTransport.Pair pair;

    @Override
    protected Ends open() {
        pair = MemoryTransport.pair();
        return new Ends(pair.near(), pair.far());
    }

    @Override
    protected void sendMalformed() throws Exception {
        pair.far().sendBytes("{no json".getBytes());
    }
}
