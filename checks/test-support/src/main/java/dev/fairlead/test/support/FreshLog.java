package dev.fairlead.test.support;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

import java.lang.reflect.Field;
import java.util.Map;

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
        Class<?> type;
        try {
            type = Class.forName("dev.fairlead.protocol.time.LimitedLog");
        } catch (ClassNotFoundException e) {
            return; // these tests have no peers
        }
        try {
            Object shared = field(type, "SHARED").get(null);
            synchronized (shared) {
                ((Map<?, ?>) field(type, "kinds").get(shared)).clear();
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The lines that were logged are kept elsewhere", e);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
