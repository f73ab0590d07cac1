package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.protocol.options.CopyOnChange;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The log line of a start names each changed limit, since the code lists them by hand. */
class ChangedLimitsTest {
    @Test
    void thoseOfTasks() throws Exception {
        eachIsNamed(Tasks.inMemory().limits(), "changed");
    }

    @Test
    void thoseOfAnEndpoint() throws Exception {
        eachIsNamed(Defaults.get(Http.port(0), "settings"), "changedLimits");
    }

    @Test
    void thoseOfAPort() throws Exception {
        eachIsNamed(Defaults.get(Http.port(0), "port"), "changedLimits");
    }

    private static void eachIsNamed(Object defaults, String method) throws Exception {
        Method changedLimits = accessible(defaults.getClass(), method);
        assertThat(names(changedLimits.invoke(defaults))).isEmpty();
        for (Field limit : limits(defaults)) {
            assertThat(names(changedLimits.invoke(changed(defaults, limit))))
                    .containsExactly(limit.getName());
        }
    }

    @Test
    void thoseOfAServer() throws Exception {
        McpServer.Builder builder = McpServer.named("docs", "1");
        Object defaults = accessible(builder.getClass(), "settings").invoke(builder);
        Method changedLimits =
                accessible(defaults.getClass(), "changedLimits", defaults.getClass());
        assertThat(names(changedLimits.invoke(defaults, defaults))).isEmpty();
        for (Field limit : limits(defaults)) {
            assertThat(names(changedLimits.invoke(changed(defaults, limit), defaults)))
                    .containsExactly(limit.getName());
        }
    }

    /** A copy with another value of one limit. */
    private static Object changed(Object defaults, Field limit) throws Exception {
        Object changed = ((CopyOnChange<?>) defaults).copy();
        limit.set(changed, other(limit.get(defaults)));
        return changed;
    }

    private static List<Field> limits(Object settings) {
        return Defaults.figures(settings.getClass())
                .peek(field -> field.setAccessible(true))
                .toList();
    }

    @SuppressWarnings("unchecked")
    private static List<String> names(Object changed) {
        return List.copyOf(((Map<String, String>) changed).keySet());
    }

    private static Object other(Object value) {
        if (value instanceof Integer number) {
            return number - 1;
        }
        return value instanceof Long number ? number - 1 : Duration.ofDays(1_000);
    }

    private static Method accessible(Class<?> type, String name, Class<?>... parameters)
            throws NoSuchMethodException {
        Method method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }
}
