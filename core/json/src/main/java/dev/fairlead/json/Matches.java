package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A regular expression that a string must match as a whole: {@code pattern} in the schema, with
 * {@code ^} and {@code $} put around it where they are missing.
 *
 * <p>The cost of matching is bounded: a text on which the expression backtracks too much counts as
 * not matching.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Matches {
    /**
     * The expression, in the syntax that {@link java.util.regex.Pattern} and ECMA 262 share: flags
     * such as {@code (?x)}, {@code \\Q}, {@code \\A} and possessive quantifiers are refused.
     */
    String value();
}
