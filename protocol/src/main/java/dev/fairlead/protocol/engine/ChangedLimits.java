package dev.fairlead.protocol.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Finds the limits that differ from their defaults: numbers and durations among the settings. */
public final class ChangedLimits {
    private ChangedLimits() {}

    /**
     * The changed limits by the names of their fields, as text.
     *
     * @param lookup of the class of the settings
     * @param defaults settings of the same class
     */
    public static <T> Map<String, String> of(MethodHandles.Lookup lookup, T settings, T defaults) {
        Map<String, String> changed = new LinkedHashMap<>();
        for (Field field : settings.getClass().getDeclaredFields()) {
            if (isLimit(field)) {
                Object now = value(lookup, field, settings);
                if (!Objects.equals(now, value(lookup, field, defaults))) {
                    changed.put(field.getName(), text(now));
                }
            }
        }
        return changed;
    }

    private static boolean isLimit(Field field) {
        Class<?> type = field.getType();
        return !Modifier.isStatic(field.getModifiers())
                && (type == int.class || type == long.class || type == Duration.class);
    }

    private static Object value(MethodHandles.Lookup lookup, Field field, Object settings) {
        try {
            MethodHandle getter = lookup.unreflectGetter(field);
            Class<?> type = field.getType();
            MethodType read = MethodType.methodType(type, Object.class);
            if (type == int.class) {
                return (int) getter.asType(read).invokeExact(settings);
            } else if (type == long.class) {
                return (long) getter.asType(read).invokeExact(settings);
            }
            Duration value = (Duration) getter.asType(read).invokeExact(settings);
            return value == null ? "off" : value;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a field can be read by its own class", e);
        }
    }

    private static String text(Object value) {
        if (value instanceof Duration duration) {
            return LogText.duration(duration);
        }
        return value.equals(Integer.MAX_VALUE) ? "off" : value.toString();
    }
}
