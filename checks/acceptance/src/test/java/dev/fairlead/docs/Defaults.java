package dev.fairlead.docs;

import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.auth.proxy.AuthorizationProxy;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.Naming;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.protocol.pipe.PipeSettings;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The defaults and limits that are in the code: options as they are when nobody has set them, and
 * constants. They are called by class and field, below {@code dev.fairlead.}, as in {@code
 * client.internal.ClientSettings.requestTimeout}.
 */
final class Defaults {
    private static final String PACKAGE = "dev.fairlead.";

    /** The objects with options, fresh from their factories. */
    private static final Map<Class<?>, Object> FRESH = fresh();

    private Defaults() {}

    private static Map<Class<?>, Object> fresh() {
        Object server = get(McpServer.named("docs", "1"), "settings");
        Object group = get(McpClients.named("docs", "1"), "settings");
        Gateway.Builder gateway = Gateway.named("docs", "1");
        Object connector = get(Http.to("http://127.0.0.1/"), "options");
        Object command = get(Stdio.command("docs"), "settings");
        return Stream.of(
                        server,
                        get(server, "rateLimit"),
                        get(McpClient.named("docs", "1"), "settings"),
                        group,
                        get(group, "backoff"),
                        Naming.DEFAULT,
                        gateway,
                        get(gateway, "settings"),
                        get(Http.port(0), "settings"),
                        get(Http.port(0), "port"),
                        connector,
                        get(connector, "reconnection"),
                        get(connector, "gracePeriods"),
                        command,
                        get(command, "lastWaits"),
                        PipeSettings.named("docs"),
                        ConnectionLimits.DEFAULT,
                        EventLimits.DEFAULT,
                        FetchLimits.DEFAULT,
                        get(AuthorizationProxy.at("https://docs.example/mcp"), "options"),
                        Tasks.inMemory().limits(),
                        DatabaseOptions.DEFAULT)
                .collect(Collectors.toMap(Object::getClass, Function.identity()));
    }

    /** The value of a field: a number or a duration. */
    static Object value(String name) {
        int dot = name.lastIndexOf('.');
        try {
            Object share = heapShare(name.substring(0, dot));
            Class<?> type =
                    share == null
                            ? Class.forName(PACKAGE + name.substring(0, dot))
                            : HeapPlan.class;
            Field field = field(type, name.substring(dot + 1));
            boolean constant = Modifier.isStatic(field.getModifiers());
            Object owner = constant || share != null ? share : FRESH.get(type);
            if (!constant && owner == null) {
                throw new AssertionError("nothing is known of the defaults of " + type);
            }
            return field.get(owner);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("there is no " + PACKAGE + name, e);
        }
    }

    private static @Nullable HeapPlan heapShare(String name) {
        return Arrays.stream(HeapPlan.values())
                .filter(share -> name.equals("protocol.limits.HeapPlan." + share))
                .findFirst()
                .orElse(null);
    }

    /** The names of all options that are a number or a duration. */
    static Stream<String> options() {
        return FRESH.keySet().stream()
                .flatMap(Defaults::figures)
                .map(field -> field.getDeclaringClass().getName() + "." + field.getName())
                .map(name -> name.substring(PACKAGE.length()));
    }

    /** The fields of options that are a number or a duration. */
    static Stream<Field> figures(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && isFigure(field));
    }

    private static boolean isFigure(Field field) {
        Class<?> type = field.getType();
        return type == int.class || type == long.class || type == Duration.class;
    }

    static Object get(Object owner, String name) {
        try {
            return field(owner.getClass(), name).get(owner);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no field " + name + " in " + owner.getClass(), e);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(type.getName() + "." + name);
    }
}
