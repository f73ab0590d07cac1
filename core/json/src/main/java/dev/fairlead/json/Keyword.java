package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes an annotation one that adds a keyword to the schema of its component or parameter. The
 * annotation is public, kept at run time, and has the text of the keyword as its {@code value}. It
 * applies to strings, enums, booleans and integers, and to types that are one of these in JSON;
 * values are not checked.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface Keyword {
    /** The keyword. */
    String value();

    /** The regular expression of its texts; a component with another text is refused. */
    String matches();

    /** A description of its texts for the refusal, such as {@code a token of RFC 9110}. */
    String expected();
}
