package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.function.Function;

/**
 * A component of a record as its annotations describe it.
 *
 * @param name the name on the wire
 * @param declared the component in messages
 * @param shape makes the shape of its type
 * @param isOther whether it keeps the members that no other component names
 * @param defaultText the value where the member is absent, as {@link Default} has it
 * @param otherwiseText the value where the member cannot be read, as {@link Otherwise} has it
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
        @Nullable String defaultText,
        @Nullable String otherwiseText) {

    /**
     * Reads the annotations of a component.
     *
     * @param javaName its name where no {@link JsonName} gives one
     */
    static ComponentModel of(
            AnnotatedElement component,
            String javaName,
            String declared,
            boolean isNullable,
            Function<ShapeBuilder, Shape> shape) {
        JsonName renamed = component.getAnnotation(JsonName.class);
        Default absent = component.getAnnotation(Default.class);
        Otherwise unreadable = component.getAnnotation(Otherwise.class);
        return new ComponentModel(
                renamed == null ? javaName : renamed.value(),
                declared,
                shape,
                isNullable,
                component.isAnnotationPresent(JsonAlways.class),
                component.isAnnotationPresent(JsonOneOrMany.class),
                component.isAnnotationPresent(OtherMembers.class),
                Constraint.rules(component),
                SchemaBuilder.doc(component),
                absent == null ? null : absent.value(),
                unreadable == null ? null : unreadable.value());
    }

    /** Adds a description where there is none. */
    ComponentModel describedBy(@Nullable String description) {
        return doc != null || description == null
                ? this
                : new ComponentModel(
                        name,
                        declared,
                        shape,
                        isNullable,
                        isAlways,
                        isOneOrMany,
                        isOther,
                        rules,
                        description,
                        defaultText,
                        otherwiseText);
    }
}
