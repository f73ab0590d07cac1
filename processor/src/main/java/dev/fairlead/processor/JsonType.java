package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import dev.fairlead.json.TypeRef;

import java.util.List;

/**
 * A Java type that has a JSON form.
 *
 * @param expression the code that gives its {@link TypeRef}
 * @param trial a type of the same form, on which constraints and defaults can be tried while the
 *     class itself is not compiled yet
 * @param isText whether a string can tell its values
 * @param constants the names of its constants on the wire, if it is an enum
 */
record JsonType(CodeBlock expression, TypeRef<?> trial, boolean isText, List<String> constants) {
    JsonType(CodeBlock expression, TypeRef<?> trial, boolean isText) {
        this(expression, trial, isText, List.of());
    }
}
