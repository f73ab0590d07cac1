package dev.fairlead.protocol.relay;

/** A watchdog without a thread, for models: a test calls its look. */
public final class ManualWatchdog {
    private final Watchdog watchdog = new Watchdog();

    public Watchdog watchdog() {
        return watchdog;
    }

    public void look() {
        watchdog.look();
    }
}
