package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;

import dev.fairlead.json.DescribedType;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import javax.lang.model.element.Modifier;

/**
 * The constants that hold described types, each once. They are complete in an order in which each
 * only needs those before it; a type that contains itself is referred to while it is under way.
 */
final class Constants {
    private record Constant(String name, @Nullable CodeBlock code) {}

    private final ClassName written;
    private final Map<TypeName, Constant> byType = new HashMap<>();
    // TYPE is the name of the constant in the records for parameters, which hides others.
    private final Set<String> names = new HashSet<>(Set.of("TYPE"));
    private final List<FieldSpec> fields = new ArrayList<>();

    /**
     * @param written the class that they are part of
     */
    Constants(ClassName written) {
        this.written = written;
    }

    boolean has(TypeName type) {
        return byType.containsKey(type);
    }

    boolean isUnderWay(TypeName type) {
        return Objects.requireNonNull(byType.get(type)).code() == null;
    }

    void begin(TypeName type) {
        byType.put(type, new Constant(unusedName(type), null));
    }

    void complete(TypeName type, CodeBlock code) {
        String name = Objects.requireNonNull(byType.get(type)).name();
        byType.put(type, new Constant(name, code));
        fields.add(
                FieldSpec.builder(
                                ParameterizedTypeName.get(ClassName.get(DescribedType.class), type),
                                name,
                                Modifier.PRIVATE,
                                Modifier.STATIC,
                                Modifier.FINAL)
                        .initializer("$>$>$L$<$<", code)
                        .build());
    }

    /** The code that gives the type of a constant. */
    CodeBlock reference(TypeName type) {
        Constant constant = Objects.requireNonNull(byType.get(type));
        return isUnderWay(type)
                ? CodeBlock.of(
                        "$T.later($T.class, () -> $T.$L)",
                        DescribedType.class,
                        raw(type),
                        written,
                        constant.name())
                : CodeBlock.of("$L", constant.name());
    }

    List<FieldSpec> fields() {
        return fields;
    }

    static TypeName raw(TypeName type) {
        return type instanceof ParameterizedTypeName applied ? applied.rawType() : type;
    }

    /** {@code PAGE_OF_BOOK} for {@code Page<Book>}. */
    private String unusedName(TypeName type) {
        String name = constantName(type);
        String unused = name;
        for (int i = 2; !names.add(unused); i++) {
            unused = name + "_" + i;
        }
        return unused;
    }

    private static String constantName(TypeName type) {
        TypeName plain = type.withoutAnnotations();
        if (plain instanceof ClassName name) {
            return upperSnake(name.simpleName());
        }
        if (plain instanceof ParameterizedTypeName applied) {
            StringBuilder name = new StringBuilder(constantName(applied.rawType()));
            String joint = "_OF_";
            for (TypeName argument : applied.typeArguments()) {
                name.append(joint).append(constantName(argument));
                joint = "_AND_";
            }
            return name.toString();
        }
        return upperSnake(plain.toString().replaceAll("\\W+", "_"));
    }

    private static String upperSnake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }
}
