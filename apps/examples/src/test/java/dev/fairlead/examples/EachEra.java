package dev.fairlead.examples;

import dev.fairlead.protocol.Revision;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Has the tests of a class run with clients of the newest revision of each era. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@EnumSource(
        value = Revision.class,
        names = {"V2025_11_25", "V2026_07_28"})
@interface EachEra {}
