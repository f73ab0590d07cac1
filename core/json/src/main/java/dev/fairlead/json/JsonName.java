package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name on the wire: of a record component or parameter (else its own name), of an enum constant
 * (else its own name), or the discriminator value of a record that is a case of a sealed interface
 * (else its simple name).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER, ElementType.FIELD, ElementType.TYPE})
public @interface JsonName {
    /** The name. */
    String value();
}
