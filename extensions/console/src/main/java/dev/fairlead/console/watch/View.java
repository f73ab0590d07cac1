package dev.fairlead.console.watch;

/** A part of the server that pages show. Thread-safe. */
@FunctionalInterface
interface View {
    /** Returns the view now; runs for each page that shows it, twice a second. */
    Snapshot snapshot(Query query);
}
