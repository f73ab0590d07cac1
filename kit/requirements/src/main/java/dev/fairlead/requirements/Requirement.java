package dev.fairlead.requirements;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the rows of the requirement ledger that a test proves.
 *
 * <p>A test named here goes red when the code that it guards is broken. On a class the annotation
 * counts for every test of the class. The build reads it from the sources of the tests, writes the
 * report of requirement coverage, and fails on an id that the ledger does not have.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(Requirement.List.class)
public @interface Requirement {

    /** Ids of the ledger, such as {@code TOOL-012}. */
    String[] value();

    /** Holds several {@link Requirement} annotations on one element. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    @interface List {
        /** The annotations. */
        Requirement[] value();
    }
}
