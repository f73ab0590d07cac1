package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The annotations in a class file, also those that reflection does not see.
 *
 * @param type those of the class
 * @param fields those of its fields, by name
 * @param components those of its components by name, if it is a record
 * @param methods those of its methods by name, {@code <init>} for constructors; for a parameter of
 *     a constructor that name, a space and its number
 * @spec https://docs.oracle.com/javase/specs/jvms/se21/html/jvms-4.html The class File Format
 */
record ClassFile(
        Annotations type,
        Map<String, Annotations> fields,
        Map<String, Annotations> components,
        Map<String, Annotations> methods) {
    /**
     * The annotations of a class, a field or a component.
     *
     * @param byName for the name of each kind, the strings, numbers, booleans and names of
     *     constants that are written in it
     * @param nullable the parts of the type of a component that are {@code @Nullable}
     */
    record Annotations(Map<String, Map<String, Object>> byName, Set<String> nullable) {
        static Annotations none() {
            return new Annotations(new HashMap<>(0), new HashSet<>(0));
        }
    }

    /**
     * Reads a class file.
     *
     * @throws IOException if it is none, or none of a version that is known
     */
    static ClassFile parse(byte[] bytes) throws IOException {
        try {
            return new Parser(bytes).parse();
        } catch (RuntimeException e) {
            throw new IOException("broken class file", e);
        }
    }

    private static final class Parser {
        private static final int MAGIC = 0xCAFEBABE;
        private static final int ON_FIELD = 0x13;

        private final byte[] bytes;
        private final ByteBuffer in;
        private final ClassFile read =
                new ClassFile(
                        Annotations.none(), new HashMap<>(), new HashMap<>(), new HashMap<>());

        /** Where the content of each constant starts. */
        private int[] constants = {};

        Parser(byte[] bytes) {
            this.bytes = bytes;
            this.in = ByteBuffer.wrap(bytes);
        }

        ClassFile parse() throws IOException {
            if (in.getInt() != MAGIC) {
                throw new IOException("no class file");
            }
            skip(4); // version
            constants();
            skip(6); // flags, class, superclass
            skip(2 * u2()); // interfaces
            for (int left = u2(); left > 0; left--) {
                skip(2); // flags
                annotated(read.fields);
            }
            for (int left = u2(); left > 0; left--) {
                skip(2); // flags
                method();
            }
            attributes(read.type);
            return read;
        }

        private void constants() throws IOException {
            constants = new int[u2()];
            for (int i = 1; i < constants.length; i++) {
                int tag = in.get();
                constants[i] = in.position();
                switch (tag) {
                    case 1 -> skip(u2());
                    case 7, 8, 16, 19, 20 -> skip(2);
                    case 15 -> skip(3);
                    case 3, 4, 9, 10, 11, 12, 17, 18 -> skip(4);
                    case 5, 6 -> {
                        skip(8);
                        i++; // takes two places
                    }
                    default -> throw new IOException("unknown constant " + tag);
                }
            }
        }

        /** Reads a field or a component from its name on. */
        private void annotated(Map<String, Annotations> byName) throws IOException {
            String name = text();
            skip(2); // descriptor
            Annotations annotations = Annotations.none();
            attributes(annotations);
            byName.put(name, annotations);
        }

        /** Reads a method or a constructor from its name on. */
        private void method() throws IOException {
            String name = text();
            skip(2); // descriptor
            Annotations annotations = read.methods.computeIfAbsent(name, key -> Annotations.none());
            int start = in.position();
            attributes(annotations);
            in.position(start);
            for (int left = u2(); left > 0; left--) {
                boolean ofParameters = text().endsWith("ParameterAnnotations");
                int end = in.getInt() + in.position();
                int count = ofParameters ? in.get() : 0;
                for (int i = 0; i < count; i++) {
                    Annotations parameter =
                            read.methods.computeIfAbsent(name + " " + i, key -> Annotations.none());
                    for (int each = u2(); each > 0; each--) {
                        parameter.byName.put(typeName(), members());
                    }
                }
                in.position(end);
            }
        }

        private void attributes(Annotations annotations) throws IOException {
            for (int left = u2(); left > 0; left--) {
                String name = text();
                int length = in.getInt();
                int end = in.position() + length;
                switch (name) {
                    case "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations" -> {
                        for (int each = u2(); each > 0; each--) {
                            annotations.byName.put(typeName(), members());
                        }
                    }
                    case "RuntimeVisibleTypeAnnotations" -> typeAnnotations(annotations.nullable);
                    case "Record" -> {
                        for (int each = u2(); each > 0; each--) {
                            annotated(read.components);
                        }
                    }
                    default -> {}
                }
                in.position(end);
            }
        }

        /** Those of a class, which are of no use, are on something else. */
        private void typeAnnotations(Set<String> nullable) throws IOException {
            for (int left = u2(); left > 0 && in.get() == ON_FIELD; left--) {
                String part = NullableParts.WHOLE;
                for (int steps = in.get(); steps > 0; steps--) {
                    part = NullableParts.step(part, in.get(), in.get());
                }
                if (typeName().equals(Nullable.class.getName())) {
                    nullable.add(part);
                }
                members();
            }
        }

        private Map<String, Object> members() throws IOException {
            int count = u2();
            Map<String, Object> members = new HashMap<>(count);
            for (int left = count; left > 0; left--) {
                String name = text();
                Object value = value();
                if (value != null) {
                    members.put(name, value);
                }
            }
            return members;
        }

        /** Reads the value of a member; null if it is none of those that are kept. */
        private @Nullable Object value() throws IOException {
            int tag = in.get();
            switch (tag) {
                case 's':
                    return text();
                case 'I':
                    return in.getInt(constant());
                case 'D':
                    return in.getDouble(constant());
                case 'Z':
                    return in.getInt(constant()) != 0;
                case 'B', 'C', 'F', 'J', 'S', 'c':
                    skip(2);
                    return null;
                case 'e':
                    skip(2); // its type
                    return text();
                case '@':
                    skip(2); // its type
                    members();
                    return null;
                case '[':
                    for (int left = u2(); left > 0; left--) {
                        value();
                    }
                    return null;
                default:
                    throw new IOException("unknown value " + tag);
            }
        }

        /** Reads the name of the class that a descriptor is of. */
        private String typeName() throws IOException {
            String descriptor = text();
            return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
        }

        private String text() throws IOException {
            int start = constant();
            return new DataInputStream(new ByteArrayInputStream(bytes, start, bytes.length - start))
                    .readUTF();
        }

        private int constant() {
            return constants[u2()];
        }

        private int u2() {
            return in.getShort() & 0xFFFF;
        }

        private void skip(int count) {
            in.position(in.position() + count);
        }
    }
}
