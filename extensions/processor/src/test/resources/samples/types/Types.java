package types;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.server.annotation.McpTool;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

import shared.Order;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

@NullMarked
class Types {
    record Scalars(
            boolean flag,
            byte tiny,
            short small,
            long big,
            float real,
            Double boxed,
            BigDecimal exact,
            Instant instant,
            LocalDate date,
            Duration duration,
            URI uri,
            UUID uuid,
            byte[] bytes,
            JsonValue any,
            JsonObject object) {}

    record Containers(
            List<Order.Pace> paces,
            Set<String> set,
            Collection<Long> collection,
            Map<Order.Pace, List<@Nullable Integer>> map,
            Optional<Order.Id> id,
            int[][] grid,
            Order.Id[] ids,
            List<? extends Number2> numbers) {}

    sealed interface Number2 permits One, Two {}

    record One(int value) implements Number2 {}

    record Two(Number2 left, Number2 right) implements Number2 {}

    record Node(String name, List<Node> children, @Nullable Node next) {}

    record Page<T>(List<T> items, Optional<String> cursor) {}

    record Pages(Page<Node> nodes, Page<String> texts) {}

    sealed interface Result<T> {}

    record Ok<T>(T value) implements Result<T> {}

    record Failed<T>(String why) implements Result<T> {}

    record Results(Result<Integer> number, Result<Node> node) {}

    /** Echoes. */
    @McpTool
    Order order(Order value) {
        return value;
    }

    /** Echoes. */
    @McpTool
    Scalars scalars(Scalars value) {
        return value;
    }

    /** Echoes. */
    @McpTool
    Containers containers(Containers value) {
        return value;
    }

    /** Echoes; a case is described before the interface that it is one of. */
    @McpTool
    Two two(Two value) {
        return value;
    }

    /** Echoes. */
    @McpTool
    Node node(Node value) {
        return value;
    }

    /** Echoes. */
    @McpTool
    List<@Nullable Node> nodes(List<@Nullable Node> value) {
        return value;
    }

    /** Echoes. */
    @McpTool
    Pages pages(Pages value) {
        return value;
    }

    /** Echoes. */
    @McpTool
    Results results(Results value) {
        return value;
    }

    /** Names that a record has for itself. */
    @McpTool
    @Deprecated
    String odd(String toString, int notify, String... wait) {
        return toString + notify + wait.length;
    }
}
