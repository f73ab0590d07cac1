package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value of a component whose member is there and cannot be read: it has another type, or a
 * value that this release does not know. Choose a value from which nothing dangerous follows.
 * Codecs that are {@linkplain JsonCodec#strict strict} refuse such a member all the same.
 *
 * <p>The value is written as in {@link Default}, and does not stand in the schema. A member that is
 * absent or null is none that cannot be read.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Otherwise {
    /** The value as text. */
    String value();
}
