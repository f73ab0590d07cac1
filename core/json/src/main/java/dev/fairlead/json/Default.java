package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value of a component or parameter whose member is absent or null; it stands in the schema as
 * {@code default}.
 *
 * <p>For text the value is taken as it stands; for every other type it is JSON ({@code 1}, {@code
 * true}, {@code [1, 2]}), or, where that does not fit, the JSON string of it ({@code FAST}, {@code
 * 2026-01-31}). A default that does not fit the type is refused when the codec is made.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Default {
    /** The value as text. */
    String value();
}
