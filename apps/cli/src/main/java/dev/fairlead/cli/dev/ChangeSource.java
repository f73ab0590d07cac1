package dev.fairlead.cli.dev;

/** A source of changes of watched files. */
@FunctionalInterface
public interface ChangeSource {
    /**
     * Waits for a change, and until the files have settled.
     *
     * @return the file that changed first
     */
    String await() throws InterruptedException;
}
