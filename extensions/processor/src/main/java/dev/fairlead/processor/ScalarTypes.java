package dev.fairlead.processor;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The classes that the library knows as one JSON value, without looking into them. */
final class ScalarTypes {
    private static final Map<String, Class<?>> BY_NAME =
            Stream.of(
                            boolean.class,
                            byte.class,
                            short.class,
                            int.class,
                            long.class,
                            float.class,
                            double.class,
                            Boolean.class,
                            Byte.class,
                            Short.class,
                            Integer.class,
                            Long.class,
                            Float.class,
                            Double.class,
                            String.class,
                            BigInteger.class,
                            BigDecimal.class,
                            Instant.class,
                            OffsetDateTime.class,
                            LocalDate.class,
                            LocalDateTime.class,
                            LocalTime.class,
                            Duration.class,
                            URI.class,
                            UUID.class,
                            Object.class,
                            JsonValue.class,
                            JsonObject.class,
                            JsonArray.class,
                            JsonString.class,
                            JsonNumber.class,
                            JsonBoolean.class,
                            JsonNull.class,
                            RawJson.class,
                            JsonSchema.class)
                    .collect(Collectors.toUnmodifiableMap(Class::getName, Function.identity()));

    private static final Set<Class<?>> COMPOSITE =
            Set.of(JsonObject.class, JsonArray.class, JsonSchema.class);

    private ScalarTypes() {}

    static @Nullable Class<?> named(String qualifiedName) {
        return BY_NAME.get(qualifiedName);
    }

    /** Returns whether a string can express the values of a class. */
    static boolean isText(Class<?> scalar) {
        return !COMPOSITE.contains(scalar);
    }
}
