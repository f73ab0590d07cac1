package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A format of the JSON Schema vocabulary for a string, such as {@code email}: {@code format} in the
 * schema. Types such as {@link java.net.URI} and {@link java.time.LocalDate} bring theirs with
 * them. The formats {@code date-time}, {@code date}, {@code time}, {@code duration}, {@code uri},
 * {@code uri-reference}, {@code uuid}, {@code ipv4} and {@code byte} are checked, and of {@code
 * email} the rough shape; any other format only describes.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Format {
    /** The name of the format. */
    String value();
}
