package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The condition of an annotation for a value, beyond its type. */
sealed interface Constraint {
    /** Returns the violation of a value, or null if there is none. */
    @Nullable String problem(Object value, Reading reading);

    /** Adds the keywords that say the same to a schema. */
    void describe(Map<String, JsonValue> schema);

    /** A constraint that is still to be put on a shape. */
    @FunctionalInterface
    interface Rule {
        /**
         * The constraint for this shape.
         *
         * @param declared the component in messages
         * @throws IllegalArgumentException if it does not fit the shape
         */
        Constraint on(Shape shape, String declared);
    }

    /** Returns the constraints of a component's annotations. */
    static List<Rule> rules(AnnotatedElement element) {
        List<Rule> rules = new ArrayList<>(0);
        Range range = element.getAnnotation(Range.class);
        if (range != null) {
            rules.add(range(range.min(), range.max()));
        }
        Size size = element.getAnnotation(Size.class);
        if (size != null) {
            rules.add(size(size.min(), size.max()));
        }
        Matches matches = element.getAnnotation(Matches.class);
        if (matches != null) {
            rules.add(matches(matches.value()));
        }
        Format format = element.getAnnotation(Format.class);
        if (format != null) {
            rules.add(format(format.value()));
        }
        for (Annotation annotation : element.getAnnotations()) {
            Keyword keyword = keyword(annotation.annotationType());
            if (keyword != null) {
                rules.add(keyword(keyword, annotation));
            }
        }
        return List.copyOf(rules);
    }

    /** No annotation of this package has one; to look would make classes at each start. */
    private static @Nullable Keyword keyword(Class<?> annotation) {
        return annotation.getPackage() == Keyword.class.getPackage()
                ? null
                : annotation.getAnnotation(Keyword.class);
    }

    /** {@link Range}. */
    static Rule range(double min, double max) {
        return (shape, declared) -> {
            require(inner(shape) instanceof NumberShape, "@Range", "numbers", declared);
            return new Between(min, max);
        };
    }

    /** {@link Size}. */
    static Rule size(int min, int max) {
        return (shape, declared) -> {
            Shape inner = inner(shape);
            boolean sized =
                    inner == TextShape.STRING
                            || inner instanceof ArrayShape
                            || inner instanceof MapShape;
            require(sized, "@Size", "strings, lists, sets, arrays and maps", declared);
            return Sized.of(min, max, inner);
        };
    }

    /** {@link Matches}. */
    static Rule matches(String regex) {
        return (shape, declared) -> {
            require(inner(shape) == TextShape.STRING, "@Matches", "strings", declared);
            try {
                return Matching.of(regex);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "@Matches(\"" + regex + "\") is refused: " + e.getMessage(), e);
            }
        };
    }

    /** {@link Format}. */
    static Rule format(String name) {
        return (shape, declared) -> {
            require(inner(shape) == TextShape.STRING, "@Format", "strings", declared);
            return new Formatted(name);
        };
    }

    /** An annotation with a {@link Keyword}. */
    static Rule keyword(Keyword keyword, Annotation annotation) {
        String name = "@" + annotation.annotationType().getSimpleName();
        return (shape, declared) -> {
            require(isScalar(inner(shape)), name, "strings, integers and booleans", declared);
            return Described.of(keyword, name, text(annotation));
        };
    }

    private static String text(Annotation annotation) {
        try {
            return String.valueOf(
                    annotation.annotationType().getMethod("value").invoke(annotation));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    annotation.annotationType() + " has no text that can be read", e);
        }
    }

    private static boolean isScalar(Shape shape) {
        if (shape instanceof NumberShape number) {
            return number.whole();
        }
        return shape instanceof InlineShape // its schema decides, once it is complete
                || shape.kind() == JsonReader.Kind.STRING
                || shape.kind() == JsonReader.Kind.BOOLEAN;
    }

    private static Shape inner(Shape shape) {
        return shape instanceof OptionalShape optional ? optional.inner() : shape;
    }

    private static void require(boolean fits, String annotation, String what, String declared) {
        if (!fits) {
            throw new IllegalArgumentException(
                    annotation + " is for " + what + ", not for " + declared);
        }
    }

    /** {@link Range}. */
    record Between(double min, double max) implements Constraint {
        public Between {
            if (!(min <= max)) { // also where one is not a number
                throw new IllegalArgumentException(
                        "@Range(%s) allows nothing".formatted(bounds(min, max)));
            }
        }

        private static String bounds(double min, double max) {
            String bounds = Double.isInfinite(min) ? "" : "min = " + text(min);
            if (!Double.isInfinite(max)) {
                bounds += (bounds.isEmpty() ? "" : ", ") + "max = " + text(max);
            }
            return bounds;
        }

        private static String text(double bound) {
            return Double.isNaN(bound) ? "NaN" : json(bound).toJson();
        }

        @Override
        public @Nullable String problem(Object value, Reading reading) {
            if (contains((Number) value)) {
                return null;
            }
            if (Double.isInfinite(max)) {
                return "must be at least " + json(min);
            }
            return Double.isInfinite(min)
                    ? "must be at most " + json(max)
                    : "must be from " + json(min) + " to " + json(max);
        }

        /** Compares as the schema says it: a bound is the number that the author wrote. */
        private boolean contains(Number number) {
            if (number instanceof Integer || number instanceof Double) {
                double near = number.doubleValue();
                return near >= min && near <= max;
            }
            BigDecimal exact =
                    number instanceof BigDecimal big ? big : new BigDecimal(number.toString());
            return (Double.isInfinite(min) || exact.compareTo(json(min).value()) >= 0)
                    && (Double.isInfinite(max) || exact.compareTo(json(max).value()) <= 0);
        }

        private static JsonNumber json(double bound) {
            return bound == (long) bound
                    ? new JsonNumber(BigDecimal.valueOf((long) bound))
                    : JsonNumber.of(bound);
        }

        @Override
        public void describe(Map<String, JsonValue> schema) {
            if (!Double.isInfinite(min)) {
                schema.put("minimum", json(min));
            }
            if (!Double.isInfinite(max)) {
                schema.put("maximum", json(max));
            }
        }
    }

    /** {@link Size}; the keyword is {@code Length}, {@code Items} or {@code Properties}. */
    record Sized(int min, int max, String keyword, String unit) implements Constraint {
        static Sized of(int min, int max, Shape shape) {
            if (min < 0 || max < min) {
                throw new IllegalArgumentException(
                        "@Size(min = " + min + ", max = " + max + ") allows nothing");
            }
            if (shape instanceof ArrayShape) {
                return new Sized(min, max, "Items", "elements");
            }
            return shape instanceof MapShape
                    ? new Sized(min, max, "Properties", "members")
                    : new Sized(min, max, "Length", "characters");
        }

        @Override
        public @Nullable String problem(Object value, Reading reading) {
            int size = size(value);
            if (size >= min && size <= max) {
                return null;
            }
            String bounds = min == max ? "" + min : min + " to " + max;
            if (max == Integer.MAX_VALUE) {
                bounds = "at least " + min;
            } else if (min == 0) {
                bounds = "at most " + max;
            }
            return "must have " + bounds + " " + unit + " but has " + size;
        }

        private static int size(Object value) {
            if (value instanceof String text) {
                return text.codePointCount(0, text.length());
            } else if (value instanceof Collection<?> elements) {
                return elements.size();
            }
            return value instanceof Map<?, ?> map ? map.size() : Array.getLength(value);
        }

        @Override
        public void describe(Map<String, JsonValue> schema) {
            if (min > 0) {
                schema.put("min" + keyword, JsonValue.of(min));
            }
            if (max < Integer.MAX_VALUE) {
                schema.put("max" + keyword, JsonValue.of(max));
            }
        }
    }

    /** {@link Matches}. */
    record Matching(String regex, BoundedPattern pattern) implements Constraint {
        static Matching of(String regex) {
            boolean anchored = regex.startsWith("^") && regex.endsWith("$");
            String whole = anchored ? regex : "^(?:" + regex + ")$";
            return new Matching(whole, BoundedPattern.of(whole));
        }

        @Override
        public @Nullable String problem(Object value, Reading reading) {
            try {
                return pattern.matches((String) value, reading.matching())
                        ? null
                        : "must match " + regex;
            } catch (BoundedPattern.TooCostly e) {
                return "takes too much effort to match with " + regex;
            }
        }

        @Override
        public void describe(Map<String, JsonValue> schema) {
            schema.put("pattern", new JsonString(regex));
        }
    }

    /** {@link Format}. */
    record Formatted(String format) implements Constraint {
        @Override
        public @Nullable String problem(Object value, Reading reading) {
            TextFormat known = TextFormat.named(format);
            return known == null || known.fits().test((String) value)
                    ? null
                    : "must be " + known.expected();
        }

        @Override
        public void describe(Map<String, JsonValue> schema) {
            schema.put("format", new JsonString(format));
        }
    }

    /** A keyword of an annotation, which asks nothing of the value. */
    record Described(String keyword, String text) implements Constraint {
        static Described of(Keyword keyword, String name, String text) {
            if (!text.matches(keyword.matches())) {
                throw new IllegalArgumentException(
                        "%s(\"%s\") must %s"
                                .formatted(
                                        name,
                                        text,
                                        text.isEmpty()
                                                ? "not be empty"
                                                : "be " + keyword.expected()));
            }
            return new Described(keyword.value(), text);
        }

        @Override
        public @Nullable String problem(Object value, Reading reading) {
            return null;
        }

        @Override
        public void describe(Map<String, JsonValue> schema) {
            schema.put(keyword, new JsonString(text));
        }
    }
}
