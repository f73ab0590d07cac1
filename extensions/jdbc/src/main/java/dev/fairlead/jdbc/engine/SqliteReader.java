package dev.fairlead.jdbc.engine;

/** A thread that reads a database file on a connection of its own, one operation after another. */
final class SqliteReader implements Runnable {
    private final SqliteFile file;
    private final OperationQueue queue;
    private final ThreadSession session;

    SqliteReader(SqliteFile file, OperationQueue queue) {
        this.file = file;
        this.queue = queue;
        this.session = new ThreadSession(file::openForReading);
    }

    @Override
    public void run() {
        queue.drain(1, taken -> taken.forEach(this::read));
        session.drop();
    }

    private void read(Operation<?> operation) {
        try {
            operation.run(session.get());
        } catch (Throwable failure) {
            session.drop();
            operation.fail(SqliteFailure.explained(failure, file.path()));
            return;
        }
        operation.complete();
    }
}
