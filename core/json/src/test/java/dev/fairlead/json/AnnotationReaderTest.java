package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The annotations read from class files equal those of reflection. */
class AnnotationReaderTest {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({
        ElementType.RECORD_COMPONENT,
        ElementType.TYPE,
        ElementType.FIELD,
        ElementType.TYPE_USE
    })
    @interface Foreign {
        byte ofByte() default 1;

        char ofChar() default 'c';

        short ofShort() default 1;

        int ofInt() default 1;

        long ofLong() default 1;

        float ofFloat() default 1;

        double ofDouble() default 1;

        boolean ofBoolean() default true;

        String value() default "";

        Class<?> ofClass() default Object.class;

        ElementType ofEnum() default ElementType.TYPE;

        Doc nested() default @Doc("none");

        Doc[] all() default {};

        int[] numbers() default {};

        ElementType[] enums() default {};
    }

    @Doc("A record")
    @JsonName("all-kinds")
    @Foreign(nested = @Doc("inside"))
    @OfClassFile
    record AllKinds(
            @JsonName("na me")
                    @Doc("a")
                    @Default("a@b")
                    @Matches("[a-z@]+")
                    @Format("email")
                    @Header("X")
                    @Size(min = 1, max = 20)
                    String text,
            @Range(min = -1.5, max = 1e300) double both,
            @Range(min = 3) int least,
            @Range(max = 4) long most,
            @Range float neither,
            @Size(min = 2) List<String> some,
            @Size(max = 7) Set<String> few,
            @Size Map<String, String> any,
            @JsonAlways @Nullable String always,
            @JsonOneOrMany List<String> oneOrMany,
            @OtherMembers JsonObject others,
            String nothing) {}

    @Retention(RetentionPolicy.CLASS)
    @interface OfClassFile {}

    record AmongOthers(
            @Foreign(
                            ofByte = -1,
                            ofChar = '\uffff',
                            ofShort = -2,
                            ofInt = 5,
                            ofLong = Long.MIN_VALUE,
                            ofFloat = Float.NaN,
                            ofDouble = Double.MIN_VALUE,
                            ofBoolean = false,
                            value = "a",
                            ofClass = int[].class,
                            ofEnum = ElementType.METHOD,
                            nested = @Doc("inner"),
                            all = {@Doc("one"), @Doc("two")},
                            numbers = {1, 2, 3},
                            enums = {ElementType.METHOD, ElementType.FIELD})
                    @Doc("outer")
                    @Deprecated
                    String first,
            @Doc("behind a long and a double") @Deprecated(since = "1", forRemoval = true)
                    double second) {
        static final long LONG = 0x123456789ABCDEFL;
        static final double DOUBLE = 1.25e-200;
        static final Runnable LAMBDA = () -> {};

        @Doc("of a field")
        static final String TEXT = "constant";
    }

    record Texts(
            @Doc("") String empty,
            @Doc("\0 and \0") String nul,
            @Doc("é ß € \u07ff \u0800 \uffff") String ofTwoAndThreeBytes,
            @Doc("\uD83D\uDE00 \uD83D\uDE00") String pairs,
            @Doc("\uD83D half \uDE00") String halves,
            @JsonName("\n\t\"\\") String escapes) {}

    record Nulls<T, U extends List<@Nullable String>>(
            @Nullable String whole,
            String none,
            List<@Nullable String> argument,
            @Nullable List<String> list,
            Map<String, @Nullable List<@Nullable Integer>> deep,
            Map<@Nullable String, String> key,
            @Nullable String[] elements,
            String @Nullable [] array,
            @Nullable String @Nullable [] @Nullable [] both,
            int @Nullable [][] ofInts,
            Optional<List<@Nullable String>[]> mixed,
            @Nullable T variable,
            List<@Nullable T> variables,
            List<? extends @Nullable Object> bound,
            List<@Nullable ? extends Object> wildcard,
            Map.@Nullable Entry<String, @Nullable String> nested,
            AnnotationReaderTest.@Nullable Texts inner,
            @Foreign List<@Foreign("x") @Nullable @Other String> others,
            U last) {}

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface Other {}

    @JsonInline
    record Inline(String value) {}

    @JsonDiscriminator("kind")
    sealed interface Shapes {}

    @JsonDiscriminator(value = "form", absent = "round")
    @Doc("With a value for what is absent")
    sealed interface WithAbsent extends Shapes {}

    @JsonName("round")
    record Round() implements WithAbsent {}

    @Doc("An enum")
    enum Colors {
        @Doc("Like a cherry")
        @JsonName("r")
        RED,
        GREEN {
            @Override
            public String toString() {
                return "green";
            }
        },
        @Foreign(ofInt = 3)
        @JsonName("b")
        BLUE
    }

    record Empty() {}

    static Stream<Class<?>> types() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> known : List.of(AnnotationReaderTest.class, JsonCodec.class)) {
            Path folder = folder(known);
            try (Stream<Path> files = Files.walk(folder.resolve("dev/fairlead/json"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    String name = folder.relativize(file).toString();
                    if (!name.contains("package-info")) {
                        types.add(
                                Class.forName(
                                        name.replace(".class", "").replaceAll("[/\\\\]", "."),
                                        false,
                                        known.getClassLoader()));
                    }
                }
            }
        }
        assertThat(types).contains(AllKinds.class, JsonCodec.class).hasSizeGreaterThan(200);
        return types.stream();
    }

    private static Path folder(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @ParameterizedTest
    @MethodSource("types")
    void aClassFileHasWhatReflectionFinds(Class<?> type) {
        compare(AnnotationReader.of(type), type);
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                compare(AnnotationReader.of(component), component);
                assertThat(AnnotationReader.nullableParts(component).nullable())
                        .as(component.toString())
                        .filteredOn(part -> !part.contains(BOUND))
                        .hasSameElementsAs(
                                NullableParts.of(component.getAnnotatedType()).nullable());
            }
        }
        for (Field field : type.getDeclaredFields()) {
            compare(AnnotationReader.of(field), field);
        }
    }

    /** The bound of a wildcard, whose {@code @Nullable} has no meaning in JSON. */
    private static final String BOUND = NullableParts.step(NullableParts.WHOLE, 2, 0);

    private static void compare(AnnotatedElement read, AnnotatedElement reflected) {
        assertThat(read).as("is read from the class file").isNotSameAs(reflected);
        for (Class<? extends Annotation> kind : KINDS) {
            Annotation found = reflected.getDeclaredAnnotation(kind);
            assertThat(read.isAnnotationPresent(kind)).as("%s", kind).isEqualTo(found != null);
            Annotation declared = read.getAnnotation(kind);
            if (found == null) {
                assertThat(declared).isNull();
            } else {
                assertThat(found).isEqualTo(declared); // whose equals compares all members
                assertThat(declared.annotationType()).isEqualTo(kind);
            }
        }
    }

    private static final List<Class<? extends Annotation>> KINDS =
            List.of(
                    Default.class,
                    Doc.class,
                    Format.class,
                    Header.class,
                    JsonAlways.class,
                    JsonDiscriminator.class,
                    JsonInline.class,
                    JsonName.class,
                    JsonOneOrMany.class,
                    Matches.class,
                    OtherMembers.class,
                    Otherwise.class,
                    Range.class,
                    Size.class);

    @Test
    void allKindsOfThisPackageAreCompared() throws Exception {
        assertThat(
                        types().filter(Class::isAnnotation)
                                .filter(type -> type.getEnclosingClass() == null))
                .containsExactlyInAnyOrderElementsOf(KINDS);
    }

    @Test
    void annotationsOfOthersAreSeenByName() {
        assertThat(AnnotationReader.has(AllKinds.class, Foreign.class.getName())).isTrue();
        assertThat(AnnotationReader.has(Texts.class, Foreign.class.getName())).isFalse();
    }

    /**
     * Reads classes of other loaders by reflection: a loader may change its classes, so that their
     * files are not to be trusted.
     */
    @Test
    void classesOfOtherLoadersAreReadByReflection() throws Exception {
        URL[] places = {folder(AllKinds.class).toUri().toURL()};
        try (URLClassLoader loader = new ChildFirst(places)) {
            Class<?> type = loader.loadClass(AllKinds.class.getName());

            assertThat(type).isNotSameAs(AllKinds.class);
            assertThat(AnnotationReader.of(type)).isSameAs(type);
            assertThat(AnnotationReader.has(type, Foreign.class.getName())).isTrue();
            assertThat(JsonSchema.of(type)).hasToString(JsonSchema.of(AllKinds.class).toString());
        }
    }

    private static final class ChildFirst extends URLClassLoader {
        ChildFirst(URL[] places) {
            super(places, AnnotationReaderTest.class.getClassLoader());
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            return name.equals(AllKinds.class.getName()) ? findClass(name) : super.loadClass(name);
        }
    }

    @Test
    void aClassWithoutAFileIsReadByReflection() {
        Class<?> type = int[].class;
        assertThat(AnnotationReader.of(type)).isSameAs(type);
    }

    @Test
    void aBrokenClassFileIsRefused() throws Exception {
        byte[] bytes =
                Files.readAllBytes(
                        folder(AllKinds.class)
                                .resolve(AllKinds.class.getName().replace('.', '/') + ".class"));

        assertThat(ClassFile.parse(bytes).components()).hasSize(12);
        for (int length = 0; length < bytes.length; length++) {
            byte[] start = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ClassFile.parse(start)).isInstanceOf(IOException.class);
        }
    }
}
