package dev.fairlead.protocol.relay;

/** A watchdog without a thread, for models: it looks when it is told to. */
public final class ManualWatchdog {
    private final Watchdog watchdog = new Watchdog();

    public Watchdog watchdog() {
        return watchdog;
    }

    public void look() {
        watchdog.look();
    }
}
