package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;

import java.util.List;

import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/**
 * The methods of the class at hand, and how they are called.
 *
 * @param instance the name of the object
 */
record Methods(Compilation compilation, TypeElement owner, String instance) {
    /** The object or class whose method it is. */
    CodeBlock receiver(ExecutableElement method) {
        return method.getModifiers().contains(Modifier.STATIC)
                ? CodeBlock.of("$T", ClassName.get(owner))
                : CodeBlock.of("$L", instance);
    }

    CodeBlock call(ExecutableElement method, CodeBlock arguments) {
        return CodeBlock.of("$L.$L($L)", receiver(method), method.getSimpleName(), arguments);
    }

    /** The only method of this name. */
    ExecutableElement named(String name, Refusal refusal) throws Problem {
        List<ExecutableElement> found =
                ElementFilter.methodsIn(owner.getEnclosedElements()).stream()
                        .filter(method -> method.getSimpleName().contentEquals(name))
                        .toList();
        if (found.size() != 1) {
            throw refusal.problem(
                    owner.getSimpleName()
                            + (found.isEmpty() ? " has no method " : " has several methods ")
                            + name);
        }
        return requireReachable(found.get(0));
    }

    /** Makes the problem for the element that names a method. */
    @FunctionalInterface
    interface Refusal {
        Problem problem(String message);
    }

    /** Refuses a method that code of the same package cannot call. */
    ExecutableElement requireReachable(ExecutableElement method) throws Problem {
        if (method.getModifiers().contains(Modifier.PRIVATE)) {
            throw Problem.at(
                    method,
                    "the method "
                            + method.getSimpleName()
                            + " is private; the code that is written for "
                            + owner.getSimpleName()
                            + " calls it from the same package");
        }
        if (!method.getTypeParameters().isEmpty()) {
            throw Problem.at(
                    method,
                    "the method "
                            + method.getSimpleName()
                            + " has type parameters, for which a caller has no types");
        }
        return method;
    }

    /** Refuses a method with exceptions that a handler cannot throw. */
    void requireExceptions(ExecutableElement method) throws Problem {
        for (TypeMirror thrown : method.getThrownTypes()) {
            if (!isA(thrown, "java.lang.Exception") && !isA(thrown, "java.lang.Error")) {
                throw Problem.at(
                        method,
                        "the method "
                                + method.getSimpleName()
                                + " throws "
                                + thrown
                                + ", but a handler throws subclasses of Exception");
            }
        }
    }

    boolean throwsChecked(ExecutableElement method) {
        return method.getThrownTypes().stream()
                .anyMatch(
                        thrown ->
                                !isA(thrown, "java.lang.RuntimeException")
                                        && !isA(thrown, "java.lang.Error"));
    }

    /** Returns whether a type is this class or below it. */
    boolean isA(TypeMirror type, String className) {
        Element known = compilation.elements().getTypeElement(className);
        return known != null
                && type.getKind() != TypeKind.ERROR
                && !type.getKind().isPrimitive()
                && type.getKind() != TypeKind.VOID
                && compilation.types().isSubtype(type, compilation.types().erasure(known.asType()));
    }

    /** Returns whether a type is exactly this class. */
    static boolean is(TypeMirror type, Class<?> known) {
        return type instanceof DeclaredType declared
                && Compilation.element(declared).getQualifiedName().contentEquals(known.getName());
    }
}
