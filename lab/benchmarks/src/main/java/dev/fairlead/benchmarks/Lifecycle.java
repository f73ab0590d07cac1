package dev.fairlead.benchmarks;

/** The life of a task: it is created, ends, and its result is read. */
interface Lifecycle extends AutoCloseable {
    /** How many changes of a life are acknowledged: its creation and its end. */
    int CHANGES = 2;

    /**
     * Has one task live.
     *
     * @param caller each has one task at a time
     */
    void once(int caller) throws Exception;

    /** How many transactions were committed, where that is counted in this process. */
    long commits();

    @Override
    void close() throws Exception;
}
