package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How long a string may be in Unicode characters, or how many elements a list, set, array or map
 * may have, both bounds included: {@code minLength}, {@code minItems} and their siblings in the
 * schema.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Size {
    /** The least size. */
    int min() default 0;

    /** The greatest size; without it there is none. */
    int max() default Integer.MAX_VALUE;
}
