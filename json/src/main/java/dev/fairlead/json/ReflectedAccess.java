package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Reaches records by reflection, whatever their visibility. */
final class ReflectedAccess implements RecordAccess {
    private static final ClassValue<ReflectedAccess> CACHE =
            new ClassValue<>() {
                @Override
                protected ReflectedAccess computeValue(Class<?> type) {
                    return new ReflectedAccess(type);
                }
            };

    private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
    private static final MethodType MAKER = MethodType.methodType(Object.class, Object[].class);

    private final MethodHandle maker;
    private final MethodHandle[] getters;

    private ReflectedAccess(Class<?> type) {
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

    static ReflectedAccess of(Class<?> type) {
        return CACHE.get(type);
    }

    private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
        ReflectedAccess.class.getModule().addReads(type.getModule());
        if (type.getModule().isOpen(type.getPackageName(), ReflectedAccess.class.getModule())) {
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

    @Override
    public Object make(@Nullable Object[] values) {
        try {
            return (Object) maker.invokeExact(values);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "a constructor of a record threw a checked exception", e);
        }
    }

    @Override
    public @Nullable Object get(Object owner, int index) {
        try {
            return (Object) getters[index].invokeExact(owner);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("an accessor of a record threw a checked exception", e);
        }
    }
}
