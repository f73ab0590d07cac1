package dev.fairlead.processor;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.CodeBlock;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Format;
import dev.fairlead.json.JsonAlways;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonOneOrMany;
import dev.fairlead.json.Matches;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Range;
import dev.fairlead.json.Size;
import dev.fairlead.json.TypeCheck;
import dev.fairlead.protocol.tools.Header;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;

import javax.lang.model.element.Element;

/**
 * The annotations of a component or parameter that decide its JSON form.
 *
 * @param isNullable whether its type is {@code @Nullable}
 * @param found in the order in which they are checked
 */
record MemberAnnotations(Element element, boolean isNullable, List<Annotation> found) {
    private static final List<Class<? extends Annotation>> KINDS =
            List.of(
                    Range.class,
                    Size.class,
                    Matches.class,
                    Format.class,
                    Header.class,
                    JsonAlways.class,
                    JsonOneOrMany.class,
                    OtherMembers.class,
                    Default.class);

    static MemberAnnotations of(Element element, boolean isNullable) {
        return new MemberAnnotations(
                element,
                isNullable,
                KINDS.stream()
                        .<Annotation>map(element::getAnnotation)
                        .filter(annotation -> annotation != null)
                        .toList());
    }

    /** The name on the wire of a component, parameter or constant. */
    static String name(Element element) {
        JsonName renamed = element.getAnnotation(JsonName.class);
        return renamed == null ? element.getSimpleName().toString() : renamed.value();
    }

    TypeCheck.Member on(JsonType type) {
        return new TypeCheck.Member(name(element), type.check(), isNullable, found);
    }

    /**
     * Checks each annotation on a type.
     *
     * @throws Problem at the annotation that does not fit the type
     */
    void requireFit(JsonType type) throws Problem {
        String javaName = element.getSimpleName().toString();
        for (int i = 0; i < found.size(); i++) {
            try {
                new TypeCheck.Member(javaName, type.check(), isNullable, found.subList(0, i + 1))
                        .check();
            } catch (IllegalArgumentException e) {
                Class<? extends Annotation> kind = found.get(i).annotationType();
                String message = String.valueOf(e.getMessage());
                if (kind == Default.class && !type.constants().isEmpty()) {
                    message += ", which is one of " + String.join(", ", type.constants());
                }
                throw Problem.at(element, kind, message);
            }
        }
    }

    /**
     * Returns them as they stand on the component of the record that is written.
     *
     * @param accessor the name of the component in Java
     * @param javadoc the description where no {@link Doc} gives one; may be null
     */
    List<AnnotationSpec> written(String accessor, @Nullable String javadoc) {
        List<AnnotationSpec> written = new ArrayList<>();
        Doc doc = element.getAnnotation(Doc.class);
        String text = doc == null ? javadoc : doc.value();
        if (text != null) {
            written.add(text(Doc.class, text));
        }
        if (!name(element).equals(accessor)) {
            written.add(text(JsonName.class, name(element)));
        }
        found.forEach(annotation -> written.add(written(annotation)));
        return written;
    }

    private static AnnotationSpec written(Annotation annotation) {
        return switch (annotation) {
            case Range range -> range(range);
            case Matches matches -> text(Matches.class, matches.value());
            case Format format -> text(Format.class, format.value());
            case Header header -> text(Header.class, header.value());
            case Default absent -> text(Default.class, absent.value());
            default -> AnnotationSpec.get(annotation);
        };
    }

    private static AnnotationSpec text(Class<? extends Annotation> kind, String text) {
        return AnnotationSpec.builder(kind).addMember("value", "$S", text).build();
    }

    private static AnnotationSpec range(Range range) {
        AnnotationSpec.Builder written = AnnotationSpec.builder(Range.class);
        if (range.min() != Double.NEGATIVE_INFINITY) {
            written.addMember("min", number(range.min()));
        }
        if (range.max() != Double.POSITIVE_INFINITY) {
            written.addMember("max", number(range.max()));
        }
        return written.build();
    }

    private static CodeBlock number(double bound) {
        if (Double.isInfinite(bound)) {
            return CodeBlock.of(
                    "$T.$L_INFINITY", Double.class, bound < 0 ? "NEGATIVE" : "POSITIVE");
        }
        boolean whole = bound == Math.rint(bound) && Math.abs(bound) <= Integer.MAX_VALUE;
        return whole ? CodeBlock.of("$L", (int) bound) : CodeBlock.of("$L", bound);
    }
}
