package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Makes records of one class and reads their components, whatever their visibility. */
final class RecordAccess {
    private static final ClassValue<RecordAccess> CACHE =
            new ClassValue<>() {
                @Override
                protected RecordAccess computeValue(Class<?> type) {
                    return new RecordAccess(type);
                }
            };

    private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
    private static final MethodType MAKER = MethodType.methodType(Object.class, Object[].class);

    private final MethodHandle maker;
    private final MethodHandle[] getters;

    private RecordAccess(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            MethodHandles.Lookup lookup = lookup(type);
            maker =
                    lookup.findConstructor(type, MethodType.methodType(void.class, types))
                            .asSpreader(Object[].class, types.length)
                            .asType(MAKER);
            getters = new MethodHandle[components.length];
            for (int i = 0; i < getters.length; i++) {
                getters[i] =
                        lookup.findVirtual(
                                        type,
                                        components[i].getName(),
                                        MethodType.methodType(types[i]))
                                .asType(GETTER);
            }
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(notOpen(type), e);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    type.getName() + " lacks a member that every record has", e);
        }
    }

    static RecordAccess of(Class<?> type) {
        return CACHE.get(type);
    }

    private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
        RecordAccess.class.getModule().addReads(type.getModule());
        if (type.getModule().isOpen(type.getPackageName(), RecordAccess.class.getModule())) {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        }
        if (Modifier.isPublic(type.getModifiers())) {
            return MethodHandles.publicLookup(); // enough if the package is exported
        }
        throw new IllegalAccessException();
    }

    private static String notOpen(Class<?> type) {
        return type.getName()
                + " cannot be reached: module "
                + type.getModule().getName()
                + " must say \"opens "
                + type.getPackageName()
                + " to dev.fairlead.json;\"";
    }

    /**
     * A record of these component values, or null if its constructor refuses them, which is then a
     * violation.
     */
    @Nullable Object construct(@Nullable Object[] values, Reading reading) {
        try {
            return (Object) maker.invokeExact(values);
        } catch (
                RuntimeException
                        e) { // whatever a constructor throws is about the values it was given
            String message = e.getMessage();
            return reading.fail(message == null ? "is not acceptable" : message);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "a constructor of a record threw a checked exception", e);
        }
    }

    @Nullable Object get(Object value, int index) {
        try {
            return (Object) getters[index].invokeExact(value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("an accessor of a record threw a checked exception", e);
        }
    }
}
