package dev.fairlead.processor;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.TypeName;

import java.util.List;

import javax.lang.model.element.Element;

/**
 * A component of the record that is written for the parameters of a method.
 *
 * @param declared the parameter
 * @param name its name on the wire
 * @param accessor its name in Java
 * @param type its Java type
 */
record Component(
        Element declared,
        String name,
        String accessor,
        TypeName type,
        JsonType json,
        List<AnnotationSpec> annotations) {}
