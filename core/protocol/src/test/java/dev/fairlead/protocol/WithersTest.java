package dev.fairlead.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tools.Tool;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The copies of records with one component changed. */
class WithersTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                ClientCapabilities.class,
                CreateMessageRequest.class,
                Resource.class,
                ResourceTemplate.class,
                ServerCapabilities.class,
                Task.class,
                Tool.class
            })
    void eachChangesNothingButItsComponent(Class<?> type) throws Exception {
        Object before = sample(type, 0);
        List<Method> withers =
                Arrays.stream(type.getMethods())
                        .filter(method -> method.getName().startsWith("with"))
                        .filter(method -> method.getReturnType() == type)
                        .toList();
        assertThat(withers).hasSizeGreaterThan(1);
        for (Method wither : withers) {
            Object changed = sample(wither.getGenericParameterTypes()[0], 1);
            Object after = wither.invoke(before, changed);
            String name = wither.getName().substring("with".length());
            for (RecordComponent component : type.getRecordComponents()) {
                boolean own = component.getName().replace("Capability", "").equalsIgnoreCase(name);
                assertThat(component.getAccessor().invoke(after))
                        .as(wither + ": " + component)
                        .isEqualTo(own ? changed : component.getAccessor().invoke(before));
            }
        }
    }

    /** A value of a type; another one for each number. */
    private static Object sample(Type type, int number) throws Exception {
        if (type instanceof ParameterizedType list) {
            return List.of(sample(list.getActualTypeArguments()[0], number));
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isEnum()) {
            return plain.getEnumConstants()[number];
        }
        if (plain.isSealed()) {
            return sample(plain.getPermittedSubclasses()[0], number);
        }
        return switch (plain.getSimpleName()) {
            case "String" -> "text " + number;
            case "Boolean" -> number == 0;
            case "Double" -> number / 2.0;
            case "Long", "long" -> 100L + number;
            case "Instant" -> Instant.ofEpochSecond(number);
            case "JsonObject" -> JsonObject.of("member", number);
            default -> plain.isRecord() ? record(plain, number) : null;
        };
    }

    private static Object record(Class<?> type, int number) throws Exception {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = sample(components[i].getGenericType(), number);
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
        return type.getDeclaredConstructor(types).newInstance(values);
    }
}
