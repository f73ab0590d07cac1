package dev.fairlead.benchmarks;

import dev.fairlead.protocol.Owner;

/** Tasks of an engine, whose handlers return at once. Each caller is an owner. */
final class EngineLifecycle implements Lifecycle {
    private final OpenEngine opened;

    EngineLifecycle(String url) {
        opened = new OpenEngine(url, context -> OpenEngine.RESULT);
    }

    @Override
    public void once(int caller) throws InterruptedException {
        Owner owner = new Owner.Local("caller" + caller);
        opened.await(owner, opened.start(owner));
    }

    @Override
    public long commits() {
        return opened.store().commits();
    }

    @Override
    public void close() {
        opened.close();
    }
}
