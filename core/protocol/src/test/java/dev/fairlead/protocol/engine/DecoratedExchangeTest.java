package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Exchange;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.Method;
import java.util.Arrays;

/** Exchanges in front of another one: a method that they leave out would get its default. */
class DecoratedExchangeTest {
    @ParameterizedTest
    @ValueSource(strings = {"WireLog$LoggedExchange", "WireCheck$CheckedExchange"})
    void everyMethodIsPassedOn(String name) throws Exception {
        Class<?> decorator = Class.forName(getClass().getPackageName() + "." + name);

        assertThat(Arrays.stream(decorator.getMethods()))
                .filteredOn(method -> method.getDeclaringClass() == Exchange.class)
                .extracting(Method::getName)
                .containsExactly("firstHeader"); // calls header
    }
}
