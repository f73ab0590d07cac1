package dev.fairlead.test.support;

import org.junit.jupiter.api.AfterEach;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Closes the resources that a test opened: after each test, the latest first. */
public abstract class ClosingTest {
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();

    /** Returns its argument, which is closed after the test. */
    protected final <T extends AutoCloseable> T closedLater(T what) {
        open.push(what);
        return what;
    }

    @AfterEach
    protected final void closeAll() throws Exception {
        for (AutoCloseable each = open.poll(); each != null; each = open.poll()) {
            each.close();
        }
    }
}
