package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The member that distinguishes the cases of a sealed interface; without this annotation it is
 * {@code type}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface JsonDiscriminator {
    /** The name of the member. */
    String value();

    /**
     * The value that an absent member means; without it the member must be there. It is written in
     * any case.
     */
    String absent() default "";
}
