package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.function.Function;

/**
 * A component of a record as reflection finds it, or as code describes it.
 *
 * @param name the name on the wire
 * @param declared the component in messages
 * @param shape makes the shape of its type
 * @param isOther whether it keeps the members that no other component names
 * @param defaultText the value where the member is absent, as {@link Default} has it
 */
record ComponentModel(
        String name,
        String declared,
        Function<ShapeBuilder, Shape> shape,
        boolean isNullable,
        boolean isAlways,
        boolean isOneOrMany,
        boolean isOther,
        List<Constraint.Rule> rules,
        @Nullable String doc,
        @Nullable String defaultText) {

    static ComponentModel of(RecordComponent component, Function<ShapeBuilder, Shape> shape) {
        JsonName renamed = component.getAnnotation(JsonName.class);
        Default absent = component.getAnnotation(Default.class);
        return new ComponentModel(
                renamed == null ? component.getName() : renamed.value(),
                component.toString(),
                shape,
                component.getAnnotatedType().isAnnotationPresent(Nullable.class),
                component.isAnnotationPresent(JsonAlways.class),
                component.isAnnotationPresent(JsonOneOrMany.class),
                component.isAnnotationPresent(OtherMembers.class),
                Constraint.rules(component),
                SchemaBuilder.doc(component),
                absent == null ? null : absent.value());
    }
}
