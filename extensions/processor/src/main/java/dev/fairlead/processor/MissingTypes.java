package dev.fairlead.processor;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;

/** Finds types that are not there, or not yet: in signatures, and in the records they name. */
final class MissingTypes {
    private final Set<TypeElement> seen = new HashSet<>();

    /** Returns whether a method names one. */
    boolean areNamedBy(ExecutableElement method) {
        return areIn(method.getReturnType())
                || areAmong(method.getThrownTypes())
                || areAmong(method.getParameters().stream().map(VariableElement::asType).toList());
    }

    private boolean areAmong(List<? extends TypeMirror> types) {
        return types.stream().anyMatch(this::areIn);
    }

    private boolean areIn(TypeMirror type) {
        if (type.getKind() == TypeKind.ERROR) {
            return true;
        }
        return switch (type) {
            case ArrayType array -> areIn(array.getComponentType());
            case WildcardType wildcard ->
                    wildcard.getExtendsBound() != null && areIn(wildcard.getExtendsBound());
            case DeclaredType declared ->
                    areAmong(declared.getTypeArguments())
                            || areInside(Compilation.element(declared));
            default -> false;
        };
    }

    private boolean areInside(TypeElement type) {
        return seen.add(type)
                && (areAmong(type.getPermittedSubclasses())
                        || areAmong(
                                type.getRecordComponents().stream()
                                        .map(RecordComponentElement::asType)
                                        .toList()));
    }
}
