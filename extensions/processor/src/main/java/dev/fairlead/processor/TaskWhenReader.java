package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.annotation.McpTool;

import java.util.ArrayList;
import java.util.List;

import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;

/** Reads the method that decides which calls of a tool become a task. */
record TaskWhenReader(Methods methods, CommonWords common) {
    void read(Feature feature, McpTool tool) throws Problem {
        if (tool.task() != TaskSupport.OPTIONAL) {
            throw common.problem(
                    "taskWhen",
                    "taskWhen of " + feature.subject() + " needs task = TaskSupport.OPTIONAL");
        }
        ExecutableElement method =
                methods.named(tool.taskWhen(), why -> common.problem("taskWhen", why));
        if (method.getReturnType().getKind() != TypeKind.BOOLEAN || methods.throwsChecked(method)) {
            throw Problem.at(
                    method,
                    "a method that decides about tasks gives a boolean and throws no checked"
                            + " exception");
        }
        List<CodeBlock> passed = new ArrayList<>();
        for (VariableElement parameter : method.getParameters()) {
            passed.add(passed(feature.handler(), parameter));
        }
        feature.word(
                "taskWhen(($L, caller) -> $L)",
                HandlerMethod.INPUT,
                methods.call(method, CodeBlock.join(passed, ", ")));
    }

    private CodeBlock passed(HandlerMethod handler, VariableElement parameter) throws Problem {
        if (Methods.is(parameter.asType(), Caller.class)) {
            return CodeBlock.of("caller");
        }
        for (Component component : handler.components()) {
            if (component.declared().getSimpleName().equals(parameter.getSimpleName())
                    && methods.compilation()
                            .types()
                            .isSameType(component.declared().asType(), parameter.asType())) {
                return CodeBlock.of("$L.$L()", HandlerMethod.INPUT, component.accessor());
            }
        }
        throw Problem.at(
                parameter,
                "a method that decides about tasks takes a Caller and arguments of its tool, which"
                        + " has "
                        + handler.components().stream()
                                .map(one -> one.declared().asType() + " " + one.declared())
                                .toList());
    }
}
