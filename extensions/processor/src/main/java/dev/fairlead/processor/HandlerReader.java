package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.TypeRef;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Reads annotated methods: their parameters and return types. */
final class HandlerReader {
    /** Names that no component of a record may have. */
    private static final Set<String> NO_COMPONENTS =
            Set.of(
                    "clone",
                    "finalize",
                    "getClass",
                    "hashCode",
                    "notify",
                    "notifyAll",
                    "toString",
                    "wait");

    private final Compilation compilation;
    private final Methods methods;
    private final TypeReader types;
    private final ClassName written;
    private final List<Problem> problems;

    /** The names of records that are taken; no method may be called {@code yield} as it is. */
    private final Set<String> names = new HashSet<>(Set.of("Of", "Yield"));

    /**
     * @param problems where everything that is wrong is added
     */
    HandlerReader(
            Compilation compilation,
            Methods methods,
            TypeReader types,
            ClassName written,
            List<Problem> problems) {
        this.compilation = compilation;
        this.methods = methods;
        this.types = types;
        this.written = written;
        this.problems = problems;
    }

    /**
     * Reads a method.
     *
     * @param suffix the end of the name of the record for its parameters
     * @param texts whether its parameters travel as strings
     */
    HandlerMethod read(ExecutableElement method, String suffix, boolean texts) throws Problem {
        methods.requireReachable(method);
        methods.requireExceptions(method);
        Javadoc javadoc = compilation.javadoc(method, method);
        List<Component> components = new ArrayList<>();
        List<CodeBlock> passed = new ArrayList<>();
        for (VariableElement parameter : method.getParameters()) {
            if (Methods.is(parameter.asType(), Call.class)) {
                passed.add(CodeBlock.of(HandlerMethod.CALL));
                continue;
            }
            try {
                Component component = component(parameter, javadoc);
                if (texts) {
                    requireText(component);
                }
                requireUnused(component.name(), components, parameter);
                components.add(component);
                passed.add(CodeBlock.of("$L.$L()", HandlerMethod.INPUT, component.accessor()));
            } catch (Problem e) {
                problems.add(e);
            }
        }
        String name = unusedName(method);
        ClassName record = written.nestedClass(capitalized(name) + suffix);
        return new HandlerMethod(method, name, record, components, passed);
    }

    private Component component(VariableElement parameter, Javadoc javadoc) throws Problem {
        String name = parameter.getSimpleName().toString();
        TypeMirror type = parameter.asType();
        boolean nullable = Annotated.isNullable(type);
        if (nullable && type.getKind().isPrimitive()) {
            throw Problem.at(parameter, name + " is a primitive and never null");
        }
        JsonType json = read(type, parameter, "the parameter " + name);
        try {
            ForeignMirrors.check(parameter);
        } catch (UnsupportedTypeException e) {
            throw Problem.at(parameter, "the parameter " + e.getMessage());
        }
        var annotations = MemberAnnotations.of(parameter, nullable);
        annotations.requireFit(json);
        String accessor = accessor(name);
        return new Component(
                parameter,
                MemberAnnotations.name(parameter),
                accessor,
                compilation.name(type),
                json,
                annotations.written(accessor, javadoc.parameters().get(name)));
    }

    /** The name of a component, which may be no method of every object and hide no constant. */
    private static String accessor(String name) {
        boolean isConstant = name.equals(name.toUpperCase(Locale.ROOT));
        return isConstant || NO_COMPONENTS.contains(name) ? name + "_" : name;
    }

    /** Refuses a parameter whose values a string cannot express. */
    private static void requireText(Component component) throws Problem {
        if (!component.json().isText()) {
            throw Problem.at(
                    component.declared(),
                    "the parameter "
                            + component.name()
                            + " travels as a string and must be a text, number, boolean, date or"
                            + " enum, or a record of one of these with @JsonInline");
        }
    }

    private static void requireUnused(
            String name, List<Component> components, VariableElement parameter) throws Problem {
        if (components.stream().anyMatch(other -> other.name().equals(name))) {
            throw Problem.at(parameter, JsonName.class, "two parameters are named " + name);
        }
    }

    private JsonType read(TypeMirror type, Element element, String what) throws Problem {
        try {
            return types.read(type);
        } catch (UnsupportedTypeException e) {
            throw Problem.at(element, what + ": " + e.getMessage());
        }
    }

    /** The name of the method, with a number behind it where it is overloaded. */
    private String unusedName(ExecutableElement method) {
        String name = method.getSimpleName().toString();
        String unused = name;
        for (int i = 2; !names.add(capitalized(unused)); i++) {
            unused = name + i;
        }
        return unused;
    }

    private static String capitalized(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** The code for the type that a method returns. */
    CodeBlock returned(ExecutableElement method) throws Problem {
        TypeMirror type = method.getReturnType();
        if (Annotated.isNullable(type)) {
            throw Problem.at(
                    method,
                    "the method "
                            + method.getSimpleName()
                            + " may give null, but a result is never null; return an Optional, or"
                            + " throw an exception");
        }
        if (hasWildcard(compilation.name(type))) {
            throw Problem.at(
                    method,
                    "the method "
                            + method.getSimpleName()
                            + " returns a type with a wildcard; name the type itself");
        }
        read(type, method, "the result of the method " + method.getSimpleName());
        return types.reference(type);
    }

    /** The code for the type that a handler receives. */
    CodeBlock input(HandlerMethod handler) {
        return handler.components().isEmpty()
                ? CodeBlock.of("$T.of($T.class)", TypeRef.class, NoInput.class)
                : types.lookedUp(handler.record());
    }

    private static boolean hasWildcard(TypeName type) {
        return type.toString().contains("?");
    }

    static boolean isVoid(ExecutableElement method) {
        return method.getReturnType().getKind() == TypeKind.VOID
                || Methods.is(method.getReturnType(), Void.class);
    }
}
