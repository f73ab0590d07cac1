package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A sealed interface as reflection finds it.
 *
 * @param identity the class, or the class with its type arguments
 * @param types how its cases are reached
 */
record ReflectedSealed(Type identity, JsonTypes types) {
    /** A record, and the value of the discriminator that stands for it. */
    record Case(String value, RecordModel model) {}

    Class<?> type() {
        return identity instanceof ReflectedTypes.Applied applied
                ? applied.raw()
                : (Class<?>) identity;
    }

    @Nullable String doc() {
        return types.description(type());
    }

    /** The member that identifies the case. */
    String discriminator() {
        JsonDiscriminator declared = type().getAnnotation(JsonDiscriminator.class);
        return declared == null ? "type" : declared.value();
    }

    /** The value that an absent member means; empty if the member must be there. */
    String valueOfAbsent() {
        JsonDiscriminator declared = type().getAnnotation(JsonDiscriminator.class);
        return declared == null ? "" : declared.absent();
    }

    List<Case> cases() {
        ForeignAnnotations.check(type());
        return records(type()).stream()
                .map(
                        found ->
                                new Case(
                                        ReflectedRecord.caseName(found),
                                        new ReflectedRecord(apply(found), types)))
                .toList();
    }

    /** The records that a sealed interface permits, also through sealed interfaces below it. */
    private static List<Class<?>> records(Class<?> type) {
        List<Class<?>> cases = new ArrayList<>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            if (permitted.isRecord()) {
                cases.add(permitted);
            } else if (permitted.isInterface() && permitted.isSealed()) {
                records(permitted).stream()
                        .filter(found -> !cases.contains(found))
                        .forEach(cases::add);
            } else {
                throw new IllegalArgumentException(
                        permitted.getName() + " is a case of " + type.getName() + " but no record");
            }
        }
        return cases;
    }

    /** The case with the type arguments that it gets from those of the interface. */
    private Type apply(Class<?> recordType) {
        if (recordType.getTypeParameters().length == 0
                || !(identity instanceof ReflectedTypes.Applied applied)) {
            return recordType;
        }
        Map<TypeVariable<?>, Type> found = new HashMap<>();
        for (Type parent : recordType.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType generic
                    && generic.getRawType() == applied.raw()) {
                for (int i = 0; i < applied.arguments().size(); i++) {
                    if (generic.getActualTypeArguments()[i] instanceof TypeVariable<?> variable) {
                        found.put(variable, applied.arguments().get(i));
                    }
                }
            }
        }
        return new ReflectedTypes.Applied(
                recordType,
                Arrays.stream(recordType.getTypeParameters())
                        .map(variable -> ReflectedTypes.resolve(variable, found))
                        .toList());
    }
}
