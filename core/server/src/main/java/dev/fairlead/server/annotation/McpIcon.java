package dev.fairlead.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An icon of a feature.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic Base protocol
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface McpIcon {
    /** Where the image is: an {@code https} or {@code data} URI. */
    String src();

    /** The type of the image; by default the source determines it. */
    String mimeType() default "";

    /** The sizes that it suits, such as {@code 48x48}, or {@code any}; none for any size. */
    String[] sizes() default {};

    /** The background that it is for, {@code light} or {@code dark}; by default any. */
    String theme() default "";
}
