package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import dev.fairlead.json.Default;
import dev.fairlead.json.DescribedType;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Format;
import dev.fairlead.json.JsonAlways;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonOneOrMany;
import dev.fairlead.json.Matches;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Range;
import dev.fairlead.json.RecordDescription;
import dev.fairlead.json.Size;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import javax.lang.model.element.Element;

/**
 * What annotations say of a component or parameter: as the words of a {@link RecordDescription},
 * and as code that says them.
 */
final class ComponentWords {
    /** Stands for the record that is not compiled yet. */
    record Trial() {}

    private record Word(
            @Nullable Class<? extends Annotation> origin,
            CodeBlock code,
            Consumer<RecordDescription<Trial>> effect) {}

    private final List<Word> words = new ArrayList<>();

    private ComponentWords() {}

    /**
     * The words for an element.
     *
     * @param javadoc what it means where no {@link Doc} says it; may be null
     */
    static ComponentWords of(Element element, boolean nullable, @Nullable String javadoc) {
        var words = new ComponentWords();
        words.addDoc(element.getAnnotation(Doc.class), javadoc);
        if (nullable) {
            words.add(null, CodeBlock.of("nullable()"), RecordDescription::nullable);
        }
        words.addConstraints(element);
        words.addFlags(element);
        Default absent = element.getAnnotation(Default.class);
        if (absent != null) {
            String text = absent.value();
            words.add(
                    Default.class,
                    CodeBlock.of("defaultValue($S)", text),
                    record -> record.defaultValue(text));
        }
        return words;
    }

    private void addDoc(@Nullable Doc doc, @Nullable String javadoc) {
        String text = doc == null ? javadoc : doc.value();
        if (text != null) {
            add(Doc.class, CodeBlock.of("doc($S)", text), record -> record.doc(text));
        }
    }

    private void addConstraints(Element element) {
        Range range = element.getAnnotation(Range.class);
        if (range != null) {
            add(
                    Range.class,
                    CodeBlock.of("range($L, $L)", number(range.min()), number(range.max())),
                    record -> record.range(range.min(), range.max()));
        }
        Size size = element.getAnnotation(Size.class);
        if (size != null) {
            add(
                    Size.class,
                    CodeBlock.of("size($L, $L)", size.min(), bound(size.max())),
                    record -> record.size(size.min(), size.max()));
        }
        Matches matches = element.getAnnotation(Matches.class);
        if (matches != null) {
            add(
                    Matches.class,
                    CodeBlock.of("matches($S)", matches.value()),
                    record -> record.matches(matches.value()));
        }
        Format format = element.getAnnotation(Format.class);
        if (format != null) {
            add(
                    Format.class,
                    CodeBlock.of("format($S)", format.value()),
                    record -> record.format(format.value()));
        }
    }

    private void addFlags(Element element) {
        if (element.getAnnotation(JsonAlways.class) != null) {
            add(JsonAlways.class, CodeBlock.of("always()"), RecordDescription::always);
        }
        if (element.getAnnotation(JsonOneOrMany.class) != null) {
            add(JsonOneOrMany.class, CodeBlock.of("oneOrMany()"), RecordDescription::oneOrMany);
        }
        if (element.getAnnotation(OtherMembers.class) != null) {
            add(
                    OtherMembers.class,
                    CodeBlock.of("otherMembers()"),
                    RecordDescription::otherMembers);
        }
    }

    private static CodeBlock number(double bound) {
        if (Double.isInfinite(bound)) {
            return CodeBlock.of(
                    "$T.$L_INFINITY", Double.class, bound < 0 ? "NEGATIVE" : "POSITIVE");
        }
        boolean whole = bound == Math.rint(bound) && Math.abs(bound) <= Integer.MAX_VALUE;
        return whole ? CodeBlock.of("$L", (int) bound) : CodeBlock.of("$L", bound);
    }

    private static CodeBlock bound(int max) {
        return max == Integer.MAX_VALUE
                ? CodeBlock.of("$T.MAX_VALUE", Integer.class)
                : CodeBlock.of("$L", max);
    }

    private void add(
            @Nullable Class<? extends Annotation> origin,
            CodeBlock code,
            Consumer<RecordDescription<Trial>> effect) {
        words.add(new Word(origin, code, effect));
    }

    /** The words as code, in their order. */
    List<CodeBlock> code() {
        return words.stream().map(Word::code).toList();
    }

    /**
     * Tries each word on a type.
     *
     * @throws Problem at the annotation that does not fit the type
     */
    void requireFit(Element element, String name, JsonType type) throws Problem {
        for (int i = 0; i < words.size(); i++) {
            try {
                tryFirst(i + 1, name, type);
            } catch (IllegalArgumentException e) {
                Class<? extends Annotation> origin = words.get(i).origin();
                String message = String.valueOf(e.getMessage());
                message = message.replace(Trial.class.getName() + ".", "");
                if (origin == Default.class && !type.constants().isEmpty()) {
                    message += ", which is one of " + String.join(", ", type.constants());
                }
                throw origin == null
                        ? Problem.at(element, message)
                        : Problem.at(element, origin, message);
            }
        }
    }

    /** Says all of it of the component named last. */
    void addTo(RecordDescription<Trial> record) {
        words.forEach(word -> word.effect().accept(record));
    }

    private void tryFirst(int count, String name, JsonType type) {
        RecordDescription<Trial> record =
                DescribedType.record(Trial.class).component(name, type.trial(), trial -> null);
        words.subList(0, count).forEach(word -> word.effect().accept(record));
        JsonCodec.of(record.build(values -> new Trial()));
    }
}
