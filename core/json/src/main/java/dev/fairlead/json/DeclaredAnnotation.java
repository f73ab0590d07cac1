package dev.fairlead.json;

import java.lang.annotation.Annotation;
import java.util.Map;

/** An annotation of this package with the values that are written in it. */
sealed interface DeclaredAnnotation extends Annotation {
    /**
     * Returns an annotation.
     *
     * @param members the values that are written
     */
    static DeclaredAnnotation of(Class<? extends Annotation> kind, Map<String, Object> members) {
        if (kind == Range.class) {
            return new Bounds(
                    kind,
                    (double) value(kind, members, "min"),
                    (double) value(kind, members, "max"));
        } else if (kind == Size.class) {
            return new Sizes(
                    kind, (int) value(kind, members, "min"), (int) value(kind, members, "max"));
        } else if (kind == JsonDiscriminator.class) {
            return new Discriminator(
                    kind,
                    (String) value(kind, members, "value"),
                    (String) value(kind, members, "absent"));
        }
        return members.get("value") instanceof String text
                ? new Text(kind, text)
                : new Marker(kind);
    }

    private static Object value(
            Class<? extends Annotation> kind, Map<String, Object> members, String name) {
        Object written = members.get(name);
        try {
            return written == null ? kind.getMethod(name).getDefaultValue() : written;
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(kind + " has no " + name, e);
        }
    }

    /** Those without values. */
    record Marker(Class<? extends Annotation> annotationType)
            implements DeclaredAnnotation, JsonAlways, JsonInline, JsonOneOrMany, OtherMembers {}

    /** Those whose value is a text. */
    record Text(Class<? extends Annotation> annotationType, String value)
            implements DeclaredAnnotation,
                    Default,
                    Doc,
                    Format,
                    Header,
                    JsonName,
                    Matches,
                    Otherwise {}

    record Bounds(Class<? extends Annotation> annotationType, double min, double max)
            implements DeclaredAnnotation, Range {}

    record Sizes(Class<? extends Annotation> annotationType, int min, int max)
            implements DeclaredAnnotation, Size {}

    record Discriminator(Class<? extends Annotation> annotationType, String value, String absent)
            implements DeclaredAnnotation, JsonDiscriminator {}
}
