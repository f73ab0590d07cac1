package dev.fairlead.test.support;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Before each test, has the clients of this process forget the eras of servers: the server of a
 * test may get the port of one that has ended, and be another kind of server.
 */
public final class FreshClients implements TestExecutionListener {
    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            forget();
        }
    }

    /** Makes the clients forget the eras now. */
    public static void forget() {
        KeptState.clear("dev.fairlead.client.link.KnownEras", "known");
    }
}
