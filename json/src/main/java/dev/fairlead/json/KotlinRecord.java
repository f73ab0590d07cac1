package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * A record that the Kotlin compiler made ({@code @JvmRecord}). It writes the nullability of
 * properties where reflection does not see it, in annotations of the class file alone, and puts
 * their annotations on the parameters of the constructor. Such a record would be bound otherwise
 * than it says, and is refused.
 */
final class KotlinRecord {
    private static final String NULLABLE = "Lorg/jetbrains/annotations/Nullable;";
    private static final String OWN = "dev.fairlead.json.";
    private static final int MAGIC = 0xCAFEBABE;

    private KotlinRecord() {}

    /**
     * Checks that all there is to know of a record can be seen.
     *
     * @throws IllegalArgumentException if not; the message names the property
     */
    static void check(Class<?> type) {
        boolean kotlin =
                Arrays.stream(type.getDeclaredAnnotations())
                        .anyMatch(
                                known ->
                                        known.annotationType().getName().equals("kotlin.Metadata"));
        if (kotlin) {
            RecordComponent[] components = type.getRecordComponents();
            checkAnnotations(type, components);
            checkNullness(type, components);
        }
    }

    private static void checkAnnotations(Class<?> type, RecordComponent[] components) {
        Parameter[] parameters = constructor(type, components).getParameters();
        for (int i = 0; i < components.length; i++) {
            for (Annotation annotation : parameters[i].getAnnotations()) {
                Class<? extends Annotation> kind = annotation.annotationType();
                boolean hidden =
                        kind.getName().startsWith(OWN) && !components[i].isAnnotationPresent(kind);
                if (hidden) {
                    throw new IllegalArgumentException(
                            of(type, components[i])
                                    + " has @"
                                    + kind.getSimpleName()
                                    + " on the parameter of the constructor, where it is not read;"
                                    + " write @all:"
                                    + kind.getSimpleName()
                                    + " (Kotlin 2.2), or write the record in Java");
                }
            }
        }
    }

    private static Constructor<?> constructor(Class<?> type, RecordComponent[] components) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no canonical constructor", e);
        }
    }

    private static void checkNullness(Class<?> type, RecordComponent[] components) {
        Set<String> nullable = nullableFields(type);
        for (RecordComponent component : components) {
            if (nullable.contains(component.getName())
                    && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                throw new IllegalArgumentException(
                        of(type, component)
                                + " may be null, which is not seen at runtime; write the record in"
                                + " Java, with @Nullable of org.jspecify.annotations");
            }
        }
    }

    private static String of(Class<?> type, RecordComponent component) {
        return "Property " + component.getName() + " of the Kotlin class " + type.getName();
    }

    // ---- the class file, up to its fields

    private static Set<String> nullableFields(Class<?> type) {
        String name = type.getName();
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream found = type.getResourceAsStream(file)) {
            if (found == null) {
                throw new IOException("there is no " + file);
            }
            return nullableFields(
                    new DataInputStream(new ByteArrayInputStream(found.readAllBytes())));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "Which properties of the Kotlin class "
                            + name
                            + " may be null is not seen at runtime; write the record in Java",
                    e);
        }
    }

    private static Set<String> nullableFields(DataInputStream in) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("no class file");
        }
        in.readInt(); // version
        String[] texts = texts(in);
        in.skipNBytes(6); // flags, class, superclass
        in.skipNBytes(2L * in.readUnsignedShort()); // interfaces
        Set<String> nullable = new HashSet<>();
        for (int fields = in.readUnsignedShort(); fields > 0; fields--) {
            in.readUnsignedShort(); // flags
            String name = texts[in.readUnsignedShort()];
            in.readUnsignedShort(); // descriptor
            if (isNullable(in, texts)) {
                nullable.add(name);
            }
        }
        return nullable;
    }

    /** The texts of the constant pool, each at its index. */
    private static String[] texts(DataInputStream in) throws IOException {
        String[] texts = new String[in.readUnsignedShort()];
        for (int i = 1; i < texts.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++; // takes two places
                }
                default -> throw new IOException("unknown constant " + tag);
            }
        }
        return texts;
    }

    /** Reads the attributes of a field. */
    private static boolean isNullable(DataInputStream in, String[] texts) throws IOException {
        boolean nullable = false;
        for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
            String name = texts[in.readUnsignedShort()];
            byte[] content = in.readNBytes(in.readInt());
            if ("RuntimeInvisibleAnnotations".equals(name)) {
                nullable |= saysNullable(content, texts);
            }
        }
        return nullable;
    }

    /**
     * Whether one of some annotations is that of Kotlin; those with members are not passed over.
     */
    private static boolean saysNullable(byte[] annotations, String[] texts) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(annotations));
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            if (NULLABLE.equals(texts[in.readUnsignedShort()])) {
                return true;
            }
            if (in.readUnsignedShort() > 0) {
                throw new IOException("an annotation with members");
            }
        }
        return false;
    }
}
