package dev.fairlead.processor;

import dev.fairlead.json.JsonDiscriminator;
import dev.fairlead.json.JsonInline;
import dev.fairlead.json.TypeCheck;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeMirror;

/** A record, possibly with type arguments, as the compiler sees it. */
record RecordType(Compilation compilation, DeclaredType type) {
    /** A component, its type with the arguments of the record. */
    record Declared(RecordComponentElement element, TypeMirror type) {
        String javaName() {
            return element.getSimpleName().toString();
        }

        MemberAnnotations annotations() {
            return MemberAnnotations.of(element, Annotated.isNullable(element.asType()));
        }
    }

    private TypeElement element() {
        return Compilation.element(type);
    }

    List<Declared> declared() {
        return element().getRecordComponents().stream().map(this::declared).toList();
    }

    private Declared declared(RecordComponentElement component) {
        TypeMirror own = component.asType();
        TypeMirror applied =
                type.getTypeArguments().isEmpty()
                        ? own
                        : ((ExecutableType)
                                        compilation
                                                .types()
                                                .asMemberOf(bound(), component.getAccessor()))
                                .getReturnType();
        return new Declared(component, applied);
    }

    static boolean isInline(TypeElement record) {
        return record.getAnnotation(JsonInline.class) != null;
    }

    /** The record with the bounds of wildcards in their place, as it can be made. */
    private DeclaredType bound() {
        TypeMirror[] bounds =
                type.getTypeArguments().stream().map(compilation::bound).toArray(TypeMirror[]::new);
        return compilation.types().getDeclaredType(element(), bounds);
    }

    /**
     * Checks that the components, each right by itself, make a record.
     *
     * @throws UnsupportedTypeException if they do not
     */
    void requireTogether(List<TypeCheck.Member> members) throws UnsupportedTypeException {
        Set<String> discriminators = new LinkedHashSet<>();
        collect(element(), discriminators);
        try {
            TypeCheck.checkRecord(
                    element().getSimpleName().toString(),
                    isInline(element()),
                    List.copyOf(discriminators),
                    members);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedTypeException(String.valueOf(e.getMessage()));
        }
    }

    /** Collects the members of fixed value that the interfaces of a record give it. */
    private static void collect(TypeElement child, Set<String> found) {
        for (TypeMirror mirror : child.getInterfaces()) {
            TypeElement parent = Compilation.element((DeclaredType) mirror);
            JsonDiscriminator declared = parent.getAnnotation(JsonDiscriminator.class);
            if (declared != null) {
                found.add(declared.value());
            }
            collect(parent, found);
        }
    }
}
