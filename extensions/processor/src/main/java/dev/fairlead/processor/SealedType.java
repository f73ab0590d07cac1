package dev.fairlead.processor;

import dev.fairlead.json.JsonName;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;

/** A sealed interface, possibly with type arguments, as the compiler sees it. */
record SealedType(Compilation compilation, DeclaredType type) {
    private TypeElement element() {
        return Compilation.element(type);
    }

    /** The value that identifies a record in a sealed interface. */
    static String caseName(TypeElement record) {
        JsonName name = record.getAnnotation(JsonName.class);
        return name == null ? record.getSimpleName().toString() : name.value();
    }

    /** The records that it permits, also through sealed interfaces below it. */
    List<DeclaredType> cases() throws UnsupportedTypeException {
        List<DeclaredType> cases = new ArrayList<>();
        for (TypeElement record : records(element())) {
            DeclaredType applied = apply(record);
            if (!compilation.types().isSubtype(applied, type)) {
                throw new UnsupportedTypeException(
                        record + " is a case of " + element() + " but not of " + type);
            }
            cases.add(applied);
        }
        return cases;
    }

    private List<TypeElement> records(TypeElement parent) throws UnsupportedTypeException {
        List<TypeElement> records = new ArrayList<>();
        for (TypeMirror mirror : parent.getPermittedSubclasses()) {
            TypeElement permitted = Compilation.element((DeclaredType) mirror);
            if (permitted.getKind() == ElementKind.RECORD) {
                records.add(permitted);
            } else if (permitted.getKind() == ElementKind.INTERFACE
                    && permitted.getModifiers().contains(Modifier.SEALED)) {
                records(permitted).stream()
                        .filter(found -> !records.contains(found))
                        .forEach(records::add);
            } else {
                throw new UnsupportedTypeException(
                        permitted + " is a case of " + element() + " but no record");
            }
        }
        return records;
    }

    /** The record with the type arguments that it gets from those of the interface. */
    private DeclaredType apply(TypeElement record) throws UnsupportedTypeException {
        if (record.getTypeParameters().isEmpty()) {
            return compilation.types().getDeclaredType(record);
        }
        Map<String, TypeMirror> found = new HashMap<>();
        for (TypeMirror mirror : record.getInterfaces()) {
            DeclaredType parent = (DeclaredType) mirror;
            if (parent.asElement().equals(element()) && !parent.getTypeArguments().isEmpty()) {
                for (int i = 0; i < type.getTypeArguments().size(); i++) {
                    found.put(
                            parent.getTypeArguments().get(i).toString(),
                            type.getTypeArguments().get(i));
                }
            }
        }
        List<TypeMirror> arguments = new ArrayList<>();
        for (TypeParameterElement parameter : record.getTypeParameters()) {
            TypeMirror argument = found.get(parameter.asType().toString());
            if (argument == null) {
                throw new UnsupportedTypeException(
                        "the type "
                                + parameter
                                + " of "
                                + record
                                + " does not follow from "
                                + type);
            }
            arguments.add(argument);
        }
        return compilation.types().getDeclaredType(record, arguments.toArray(TypeMirror[]::new));
    }
}
