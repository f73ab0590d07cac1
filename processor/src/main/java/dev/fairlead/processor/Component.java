package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

import javax.lang.model.element.Element;

/**
 * A component of a record that is described: of a record of the author, or of the one that is
 * written for the parameters of a method.
 *
 * @param declared where it is declared
 * @param name its name on the wire
 * @param accessor its name in Java
 * @param type its Java type
 * @param words what is said of it behind its name
 */
record Component(
        Element declared,
        String name,
        String accessor,
        TypeName type,
        JsonType json,
        ComponentWords words) {
    /** Its value in the constructor call: the {@code index}th of {@code values}. */
    CodeBlock value(int index, boolean exact) {
        CodeBlock value = CodeBlock.of("values.<$T>get($L)", type.box(), index);
        // A constructor with as many parameters of other types could be meant as well.
        return exact && type.isPrimitive() ? CodeBlock.of("($T) $L", type, value) : value;
    }
}
