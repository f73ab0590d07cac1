package dev.fairlead.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a record component of type {@link JsonObject}: it keeps the members that no other component
 * names, and writes them back beside the others. Empty where there are none. Without such a
 * component unknown members are passed over.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface OtherMembers {}
