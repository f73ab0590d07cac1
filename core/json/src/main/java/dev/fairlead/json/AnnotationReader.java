package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;

/**
 * Reads the annotations of types from their class files. Reflection makes a class for each kind of
 * annotation, which no cache of classes keeps, so that each start of a process would make it again.
 *
 * <p>Reflection is for what has no class file that can be read, and for classes of other loaders
 * than the one of the application: those may have changed what they loaded, and no cache keeps such
 * classes.
 */
final class AnnotationReader {
    private static final ClassValue<Optional<ClassFile>> FILES =
            new ClassValue<>() {
                @Override
                protected Optional<ClassFile> computeValue(Class<?> type) {
                    if (type.getClassLoader() != ClassLoader.getSystemClassLoader()) {
                        return Optional.empty();
                    }
                    try {
                        return Optional.of(ClassFile.parse(bytes(type)));
                    } catch (IOException | RuntimeException e) {
                        return Optional.empty();
                    }
                }
            };

    /** Those of the class path by location, which the loader keeps open too. */
    private static final Map<String, JarFile> ARCHIVES = new ConcurrentHashMap<>();

    private static final String CONSTRUCTOR = "<init>";

    private AnnotationReader() {}

    /** Returns the annotations of this package that a class has. */
    static AnnotatedElement of(Class<?> type) {
        ClassFile file = file(type);
        return file == null ? type : new Declared(file.type());
    }

    /** Returns the annotations of this package that a component of a record has. */
    static AnnotatedElement of(RecordComponent component) {
        ClassFile.Annotations found = annotations(component);
        return found == null ? component : new Declared(found);
    }

    /** Returns the annotations of this package that a field has. */
    static AnnotatedElement of(Field field) {
        ClassFile file = file(field.getDeclaringClass());
        ClassFile.Annotations found = file == null ? null : file.fields().get(field.getName());
        return found == null ? field : new Declared(found);
    }

    /** Returns a component of a record or a constant of an enum; null if there is none. */
    static @Nullable AnnotatedElement member(Class<?> type, String name) {
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .filter(component -> component.getName().equals(name))
                    .findFirst()
                    .map(AnnotationReader::of)
                    .orElse(null);
        }
        try {
            return type.isEnum() ? of(type.getField(name)) : null;
        } catch (NoSuchFieldException e) { // a method
            return null;
        }
    }

    /** Returns all annotations on a type, its fields, components, methods and constructors. */
    static List<ForeignAnnotations.Found> all(Class<?> type) {
        List<ForeignAnnotations.Found> all = new ArrayList<>();
        ClassFile file = file(type);
        if (file != null) {
            add(all, null, file.type());
            for (var members : List.of(file.fields(), file.components(), file.methods())) {
                members.forEach((name, found) -> add(all, name(type, name), found));
            }
            return all;
        }
        add(all, null, type);
        for (Field field : type.getDeclaredFields()) {
            add(all, field.getName(), field);
        }
        for (Method method : type.getDeclaredMethods()) {
            add(all, method.getName(), method);
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            add(all, CONSTRUCTOR, constructor);
            Parameter[] parameters = constructor.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                add(all, name(type, CONSTRUCTOR + " " + i), parameters[i]);
            }
        }
        return all;
    }

    private static void add(
            List<ForeignAnnotations.Found> all,
            @Nullable String member,
            ClassFile.Annotations annotations) {
        annotations
                .byName()
                .forEach(
                        (name, values) ->
                                all.add(new ForeignAnnotations.Found(member, name, values)));
    }

    private static void add(
            List<ForeignAnnotations.Found> all, @Nullable String member, AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            Class<? extends Annotation> kind = annotation.annotationType();
            Map<String, Object> values = new HashMap<>();
            for (Method value : kind.getDeclaredMethods()) {
                try {
                    Object given = value.invoke(annotation);
                    if (!Objects.deepEquals(given, value.getDefaultValue())) {
                        values.put(
                                value.getName(),
                                given instanceof Enum<?> constant ? constant.name() : given);
                    }
                } catch (ReflectiveOperationException e) { // of a class that cannot be reached
                    values.put(value.getName(), "?");
                }
            }
            all.add(new ForeignAnnotations.Found(member, kind.getName(), values));
        }
    }

    /** Returns the component that a parameter of the canonical constructor is for. */
    private static String name(Class<?> type, String member) {
        if (!type.isRecord() || !member.startsWith(CONSTRUCTOR + " ")) {
            return member;
        }
        int number = Integer.parseInt(member.substring(CONSTRUCTOR.length() + 1));
        RecordComponent[] components = type.getRecordComponents();
        return number < components.length ? components[number].getName() : member;
    }

    /** Returns where the type of a component is {@code @Nullable}. */
    static NullableParts nullableParts(RecordComponent component) {
        ClassFile.Annotations found = annotations(component);
        return found == null
                ? NullableParts.of(component.getAnnotatedType())
                : NullableParts.of(found.nullable());
    }

    /** Whether a class has an annotation of this name. */
    static boolean has(Class<?> type, String name) {
        ClassFile file = file(type);
        return file == null
                ? Arrays.stream(type.getDeclaredAnnotations())
                        .anyMatch(known -> known.annotationType().getName().equals(name))
                : file.type().byName().containsKey(name);
    }

    /** Resources of the loader take five times as long to find. */
    private static byte[] bytes(Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        String place = type.getProtectionDomain().getCodeSource().getLocation().toExternalForm();
        if (place.endsWith("/")) {
            return Files.readAllBytes(Path.of(URI.create(place)).resolve(file));
        }
        JarFile archive = ARCHIVES.get(place);
        if (archive == null) {
            archive =
                    new JarFile(
                            new File(URI.create(place)),
                            false,
                            ZipFile.OPEN_READ,
                            JarFile.runtimeVersion());
            ARCHIVES.put(place, archive);
        }
        try (InputStream in = archive.getInputStream(archive.getJarEntry(file))) {
            return in.readAllBytes();
        }
    }

    private static @Nullable ClassFile file(Class<?> type) {
        return FILES.get(type).orElse(null);
    }

    private static ClassFile.@Nullable Annotations annotations(RecordComponent component) {
        ClassFile file = file(component.getDeclaringRecord());
        return file == null ? null : file.components().get(component.getName());
    }

    /** The annotations of this package that something has in its class file. */
    private static final class Declared implements AnnotatedElement {
        private final ClassFile.Annotations found;

        Declared(ClassFile.Annotations found) {
            this.found = found;
        }

        @Override
        public boolean isAnnotationPresent(Class<? extends Annotation> kind) {
            return found.byName().containsKey(kind.getName());
        }

        @Override
        public <A extends Annotation> @Nullable A getAnnotation(Class<A> kind) {
            Map<String, Object> members = found.byName().get(kind.getName());
            return members == null ? null : kind.cast(DeclaredAnnotation.of(kind, members));
        }

        @Override
        public Annotation[] getAnnotations() {
            throw new UnsupportedOperationException("only those of this package are known");
        }

        @Override
        public Annotation[] getDeclaredAnnotations() {
            return getAnnotations();
        }
    }
}
