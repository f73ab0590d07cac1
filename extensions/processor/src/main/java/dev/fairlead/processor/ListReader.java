package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import dev.fairlead.protocol.Caller;
import dev.fairlead.server.handler.Call;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.PrimitiveType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;

/** Reads the method that lists the resources of a template. */
record ListReader(Methods methods, CommonWords common) {
    void read(Feature template, String name) throws Problem {
        ExecutableElement method = methods.named(name, why -> common.problem("list", why));
        methods.requireExceptions(method);
        List<CodeBlock> passed = new ArrayList<>();
        for (VariableElement parameter : method.getParameters()) {
            passed.add(CodeBlock.of(passed(parameter)));
        }
        List<Component> variables = template.handler().components();
        TypeMirror element = element(method);
        CodeBlock values =
                variables.size() == 1
                        ? single(method, element, variables.get(0))
                        : several(method, element, variables);
        template.word(
                "list((caller, call) -> $L.stream()\n$>$>.map(one -> new $T($L))\n.toList())$<$<",
                methods.call(method, CodeBlock.join(passed, ", ")),
                template.handler().record(),
                values);
    }

    private static String passed(VariableElement parameter) throws Problem {
        if (Methods.is(parameter.asType(), Caller.class)) {
            return "caller";
        }
        if (Methods.is(parameter.asType(), Call.class)) {
            return "call";
        }
        throw Problem.at(
                parameter, "a method that lists resources takes nothing but a Caller and a Call");
    }

    /** The type of the collection's elements. */
    private TypeMirror element(ExecutableElement method) throws Problem {
        if (methods.isA(method.getReturnType(), "java.util.Collection")
                && method.getReturnType() instanceof DeclaredType collection
                && collection.getTypeArguments().size() == 1) {
            return collection.getTypeArguments().get(0);
        }
        throw Problem.at(
                method,
                "a method that lists resources returns a collection but this returns "
                        + method.getReturnType());
    }

    private CodeBlock single(ExecutableElement method, TypeMirror element, Component variable)
            throws Problem {
        requireSame(method, element, variable);
        return CodeBlock.of("one");
    }

    private CodeBlock several(
            ExecutableElement method, TypeMirror element, List<Component> variables)
            throws Problem {
        requireReach(method, element);
        List<CodeBlock> values = new ArrayList<>();
        for (Component variable : variables) {
            RecordComponentElement found = component(element, variable.name());
            if (found == null) {
                throw Problem.at(
                        method,
                        "a method that lists resources of several variables returns records with a"
                                + " component for each, but "
                                + element
                                + " has none for "
                                + variable.name());
            }
            requireSame(method, found.asType(), variable);
            values.add(CodeBlock.of("one.$L()", found.getSimpleName()));
        }
        return CodeBlock.join(values, ", ");
    }

    private void requireReach(ExecutableElement method, TypeMirror element) throws Problem {
        if (!(element instanceof DeclaredType declared)) {
            return;
        }
        Compilation compilation = methods.compilation();
        String why =
                compilation.whyOutOfReach(
                        Compilation.element(declared),
                        compilation.elements().getPackageOf(methods.owner()));
        if (why != null) {
            throw Problem.at(
                    method, element + " cannot be reached by the code that is written: " + why);
        }
    }

    private static @Nullable RecordComponentElement component(TypeMirror element, String name) {
        if (element instanceof DeclaredType declared) {
            TypeElement type = Compilation.element(declared);
            if (type.getKind() == ElementKind.RECORD) {
                return type.getRecordComponents().stream()
                        .filter(component -> component.getSimpleName().contentEquals(name))
                        .findFirst()
                        .orElse(null);
            }
        }
        return null;
    }

    private void requireSame(ExecutableElement method, TypeMirror listed, Component variable)
            throws Problem {
        TypeMirror wanted = variable.declared().asType();
        Types types = methods.compilation().types();
        boolean fits =
                listed.getKind() != TypeKind.WILDCARD
                        && types.isSameType(boxed(listed), boxed(wanted));
        if (!fits) {
            throw Problem.at(
                    method,
                    "the type of the values listed for the variable "
                            + variable.name()
                            + " must be "
                            + wanted
                            + " but was "
                            + listed);
        }
    }

    private TypeMirror boxed(TypeMirror type) {
        Types types = methods.compilation().types();
        return type instanceof PrimitiveType primitive
                ? types.boxedClass(primitive).asType()
                : type;
    }
}
