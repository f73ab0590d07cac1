package dev.fairlead.test.support;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Before each test, has the limit of log lines forget the lines of the tests before. */
public final class FreshLog implements TestExecutionListener {
    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            forget();
        }
    }

    /** Makes the limit forget the lines now, as if a minute had passed. */
    public static void forget() {
        KeptState.clear("dev.fairlead.protocol.time.LimitedLog", "kinds");
    }
}
