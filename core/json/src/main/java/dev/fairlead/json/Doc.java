package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a component, parameter, type or enum constant: the {@code description} in its schema
 * (of an enum constant the {@code title}). Models and people read it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER, ElementType.TYPE, ElementType.FIELD})
public @interface Doc {
    /** The text. */
    String value();
}
