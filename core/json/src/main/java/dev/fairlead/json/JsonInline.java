package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a record of one component: on the wire it is that component's value and no object. On a case
 * of a sealed interface whose component is a {@link JsonObject}: it takes every value whose
 * discriminator no other case has.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface JsonInline {}
