package dev.fairlead.client.link;

import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;

/**
 * Has progress rise over the rounds of a call: a round that starts lower than the one before
 * reached is counted from there. For one thread.
 */
public final class RisingProgress implements ProgressListener {
    private final ProgressListener listener;
    private double reached;
    private double base;
    private boolean begun;

    public RisingProgress(ProgressListener listener) {
        this.listener = listener;
    }

    /** The next round begins. */
    public void nextRound() {
        base = 0;
        begun = false;
    }

    @Override
    public void progress(Progress progress) {
        if (!begun) {
            begun = true;
            base = progress.progress() <= reached ? reached : 0;
        }
        Double total = progress.total();
        reached = Math.max(reached, base + progress.progress());
        listener.progress(
                base == 0
                        ? progress
                        : new Progress(
                                base + progress.progress(),
                                total == null ? null : base + total,
                                progress.message()));
    }
}
