package dev.fairlead.test.support;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

import java.lang.reflect.Field;
import java.util.Map;

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
        Class<?> type;
        try {
            type = Class.forName("dev.fairlead.client.link.KnownEras");
        } catch (ClassNotFoundException e) {
            return; // these tests have no clients
        }
        try {
            Object shared = field(type, "SHARED").get(null);
            synchronized (shared) {
                ((Map<?, ?>) field(type, "known").get(shared)).clear();
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The memory of servers in clients has moved", e);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
