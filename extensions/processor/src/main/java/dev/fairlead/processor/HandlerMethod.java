package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;

import java.util.List;

import javax.lang.model.element.ExecutableElement;

/**
 * An annotated method as the body of a feature.
 *
 * @param name the name of the method that is written for it
 * @param record the record that is written for its parameters
 * @param components those of its parameters that are members of the arguments
 * @param passed the arguments for each of its parameters
 */
record HandlerMethod(
        ExecutableElement method,
        String name,
        ClassName record,
        List<Component> components,
        List<CodeBlock> passed) {
    /** The name of the record in the body. */
    static final String INPUT = "input";

    /** The name of the call in the body. */
    static final String CALL = "call";

    HandlerMethod {
        components = List.copyOf(components);
        passed = List.copyOf(passed);
    }

    /** Returns whether all parameters could be read. */
    boolean isComplete() {
        return passed.size() == method.getParameters().size();
    }

    CodeBlock arguments() {
        return CodeBlock.join(passed, ", ");
    }
}
