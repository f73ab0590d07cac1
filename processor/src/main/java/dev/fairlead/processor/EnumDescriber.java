package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;

import dev.fairlead.json.DescribedType;
import dev.fairlead.json.Doc;
import dev.fairlead.json.EnumDescription;
import dev.fairlead.json.JsonName;

import java.util.ArrayList;
import java.util.List;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;

/** Describes enums. */
record EnumDescriber(Compilation compilation, TypeElement origin, Constants constants) {
    /** Stands for the constants of a class that is not compiled yet. */
    private enum Trial {
        CONSTANT
    }

    /**
     * Describes an enum.
     *
     * @throws UnsupportedTypeException if two constants have one name
     */
    JsonType describe(TypeElement element) throws UnsupportedTypeException {
        List<String> names = new ArrayList<>();
        EnumDescription<Trial> trial = DescribedType.enumeration(Trial.class);
        CodeBlock.Builder code = begin(element);
        for (Element constant : element.getEnclosedElements()) {
            if (constant.getKind() == ElementKind.ENUM_CONSTANT) {
                String name = name(constant);
                if (names.contains(name)) {
                    throw new UnsupportedTypeException(
                            element + " has two constants named " + name);
                }
                names.add(name);
                trial.constant(Trial.CONSTANT, name);
                Doc title = constant.getAnnotation(Doc.class);
                code.add(
                        "\n.constant($T.$L, $S",
                        ClassName.get(element),
                        constant.getSimpleName(),
                        name);
                if (title != null) {
                    code.add(", $S", title.value());
                }
                code.add(")");
            }
        }
        ClassName key = ClassName.get(element);
        if (!constants.has(key)) {
            constants.begin(key);
            constants.complete(key, code.add("\n.build()").build());
        }
        return new JsonType(constants.reference(key), trial.build(), true, List.copyOf(names));
    }

    private CodeBlock.Builder begin(TypeElement element) {
        CodeBlock.Builder code =
                CodeBlock.builder()
                        .add(
                                "$T.enumeration($T.class)",
                                DescribedType.class,
                                ClassName.get(element));
        String doc = RecordType.doc(compilation, element, origin);
        return doc == null ? code : code.add("\n.doc($S)", doc);
    }

    private static String name(Element constant) {
        JsonName renamed = constant.getAnnotation(JsonName.class);
        return renamed == null ? constant.getSimpleName().toString() : renamed.value();
    }
}
