package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The least and greatest number allowed, both included: {@code minimum} and {@code maximum} in the
 * schema. A declaration whose least number is above its greatest is refused.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Range {
    /** The least number; without it there is none. */
    double min() default Double.NEGATIVE_INFINITY;

    /** The greatest number; without it there is none. */
    double max() default Double.POSITIVE_INFINITY;
}
