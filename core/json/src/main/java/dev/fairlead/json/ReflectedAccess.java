package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * Reaches records of any visibility by reflection. The handles of the constructor and of each
 * component are made when they are first needed: linking a handle costs a millisecond at the start
 * of a process, and most records are only read or only written. Threads that make one at the same
 * time make the same.
 */
final class ReflectedAccess implements RecordAccess {
    private static final ClassValue<ReflectedAccess> CACHE =
            new ClassValue<>() {
                @Override
                protected ReflectedAccess computeValue(Class<?> type) {
                    return new ReflectedAccess(type, null);
                }
            };

    private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
    private static final MethodType MAKER = MethodType.methodType(Object.class, Object[].class);

    private final Class<?> type;
    private final MethodHandles.Lookup lookup;
    private final RecordComponent[] components;
    private final @Nullable MethodHandle[] getters;
    private volatile @Nullable RecordConstructor<?> constructor;

    private ReflectedAccess(Class<?> type, MethodHandles.@Nullable Lookup given) {
        this.type = type;
        try {
            lookup = lookup(type, given);
        } catch (IllegalAccessException e) {
            throw notOpen(type, e);
        }
        components = type.getRecordComponents();
        getters = new MethodHandle[components.length];
    }

    static ReflectedAccess of(Class<?> type) {
        return CACHE.get(type);
    }

    /** Reaches a record by a lookup if it cannot be reached without one. */
    static ReflectedAccess of(Class<?> type, MethodHandles.Lookup given) {
        return new ReflectedAccess(type, given);
    }

    private static MethodHandles.Lookup lookup(Class<?> type, MethodHandles.@Nullable Lookup given)
            throws IllegalAccessException {
        ReflectedAccess.class.getModule().addReads(type.getModule());
        if (type.getModule().isOpen(type.getPackageName(), ReflectedAccess.class.getModule())) {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        }
        if (Modifier.isPublic(type.getModifiers())
                && type.getModule().isExported(type.getPackageName())) {
            return MethodHandles.publicLookup();
        }
        if (given == null || !mayConstruct(given.lookupClass(), type)) {
            throw new IllegalAccessException();
        }
        given.accessClass(type);
        return given;
    }

    /** Whether a class reaches the constructor of a record, which is as visible as the record. */
    private static boolean mayConstruct(Class<?> from, Class<?> type) {
        int modifiers = type.getModifiers();
        return Modifier.isPrivate(modifiers)
                ? from.isNestmateOf(type)
                : Modifier.isPublic(modifiers) || from.getPackage() == type.getPackage();
    }

    private static IllegalArgumentException notOpen(Class<?> type, IllegalAccessException e) {
        return new IllegalArgumentException(
                type.getName()
                        + " cannot be reached: module "
                        + type.getModule().getName()
                        + " must say \"opens "
                        + type.getPackageName()
                        + " to dev.fairlead.json;\"",
                e);
    }

    /** Has records of a class that is open to reflection made by this code. */
    static void register(Class<?> type, RecordConstructor<?> constructor) {
        of(type).constructor = constructor;
    }

    private RecordConstructor<?> constructor() {
        RecordConstructor<?> found = constructor;
        if (found == null) {
            initialize(); // which may register one
            found = constructor == null ? handle() : constructor;
            constructor = found;
        }
        return found;
    }

    private void initialize() {
        try {
            lookup.ensureInitialized(type);
        } catch (IllegalAccessException e) {
            throw notOpen(type, e);
        }
    }

    private RecordConstructor<?> handle() {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        MethodType canonical = MethodType.methodType(void.class, types);
        MethodHandle handle =
                found(() -> lookup.findConstructor(type, canonical))
                        .asSpreader(Object[].class, types.length)
                        .asType(MAKER);
        return values -> {
            try {
                return (Object) handle.invokeExact(values);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(
                        "a constructor of a record threw a checked exception", e);
            }
        };
    }

    private MethodHandle getter(int index) {
        MethodHandle found = getters[index];
        if (found == null) {
            RecordComponent component = components[index];
            MethodType accessor = MethodType.methodType(component.getType());
            found =
                    found(() -> lookup.findVirtual(type, component.getName(), accessor))
                            .asType(GETTER);
            getters[index] = found;
        }
        return found;
    }

    /** Something that every record has, and that can be reached as its class can. */
    private MethodHandle found(Search search) {
        try {
            return search.run();
        } catch (IllegalAccessException e) {
            throw notOpen(type, e);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    type.getName() + " lacks a member that every record has", e);
        }
    }

    private interface Search {
        MethodHandle run() throws IllegalAccessException, NoSuchMethodException;
    }

    @Override
    public Object make(@Nullable Object[] values) {
        return constructor().construct(values);
    }

    @Override
    public @Nullable Object get(Object owner, int index) {
        MethodHandle handle = getter(index);
        try {
            return (Object) handle.invokeExact(owner);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("an accessor of a record threw a checked exception", e);
        }
    }
}
